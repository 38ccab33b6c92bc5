//! Tests for `--stream`: the program reads requests line by line, and answers each request. This
//! command verifies 1,000,000 signatures in a single process and prints the peak memory:
//!
//! ```sh
//! FNDSA_LONG=1 cargo test --release --test cli stream::a_million -- --nocapture
//! ```
//!
//! Without `FNDSA_LONG=1`, the test verifies 20,000 signatures.

use crate::harness::{ProgramCall, ProgramOutput, TestDirectory, finish, long, signal, skip, wait_for};
use crate::schema::check_answer;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The values of `--jobs` in most tests: a single thread for all work, or several threads.
const JOBS: [&str; 2] = ["-j 1", "-j 4"];

fn base64(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

/// Returns the requests as lines.
fn request_lines(requests: &[Value]) -> String {
    requests.iter().map(|request| format!("{request}\n")).collect()
}

/// Parses the answers on standard output, and checks them against `docs/json.md`.
#[track_caller]
fn parse_answers(output: &ProgramOutput) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    let answers: Vec<Value> = output.out.lines().map(parse).collect();
    answers.iter().for_each(check_answer);
    for (i, answer) in answers.iter().enumerate() {
        assert_eq!(answer["line"], i + 1, "{answer}");
    }
    answers
}

/// Runs a command with requests, checks its exit code, and returns the answers.
#[track_caller]
fn run_requests(directory: &TestDirectory, line: &str, requests: impl Into<Vec<u8>>, code: i32) -> Vec<Value> {
    parse_answers(&directory.call(line).input(requests).run().code(code).err_empty())
}

/// Creates requests for `verify`: the requests for `sign`, with the signatures in the answers.
fn verify_requests(requests: &[Value], answers: &[Value]) -> Vec<Value> {
    let signed = |(request, answer): (&Value, &Value)| {
        let mut request = request.clone();
        request["signature_b64"] = answer["signature_b64"].clone();
        request
    };
    requests.iter().zip(answers).map(signed).collect()
}

#[test]
fn streams_of_every_algorithm_sign_and_verify() {
    let directory = TestDirectory::ready();
    for algorithm in ["512", "fn-dsa-1024", "falcon-512", "fn-dsa-2024-512", "ml-dsa-44", "ml-dsa-87"] {
        directory.run(&format!("keygen -qf -a {algorithm} n")).code(0);
        let mut requests = vec![
            json!({ "id": 1, "path": "a" }),
            json!({ "id": "two", "message_b64": base64("hello\n") }),
            json!({ "message_b64": "" }),
            json!({ "id": null, "message_b64": base64(vec![7; 100_000]) }),
        ];
        if algorithm != "falcon-512" {
            requests.push(json!({ "id": -5, "message_b64": base64("hello\n"), "context": "v1" }));
            requests.push(json!({ "id": "ä\n", "path": "b", "context": "ü" }));
        }
        for jobs in JOBS {
            let signed =
                run_requests(&directory, &format!("sign --stream -k n.key {jobs}"), request_lines(&requests), 0);
            let ids: Vec<_> = signed.iter().map(|answer| &answer["id"]).collect();
            let request_ids: Vec<_> = requests.iter().map(|request| &request["id"]).collect();
            assert_eq!(ids, request_ids, "{algorithm}");
            assert_eq!(signed[0]["path"], "a");
            assert_eq!((&signed[0]["bytes"], &signed[3]["bytes"]), (&json!(6), &json!(100_000)));
            let to_verify = verify_requests(&requests, &signed);
            let verified =
                run_requests(&directory, &format!("verify --stream -p n.pub {jobs}"), request_lines(&to_verify), 0);
            assert_eq!(verified.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), request_ids);
            assert_eq!(verified[0]["key"], signed[0]["key"]);
            // The command without `--stream` gives the same verdict.
            directory.put("s", STANDARD.decode(signed[0]["signature_b64"].as_str().unwrap()).unwrap());
            directory.run("verify -p n.pub -s s a").code(0);
        }
    }
}

#[test]
fn a_long_stream_has_the_results_of_the_ordinary_command() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ml-dsa-44 m").code(0);
    let names: Vec<_> = (0..2000).map(|i| format!("f{i}")).collect();
    let list = names.join("\n");
    names.iter().for_each(|name| directory.put(name, name));
    directory.put("names", &list);
    // Half the messages are in files.
    let request = |(i, name): (usize, &String)| match i % 2 {
        0 => json!({ "id": i, "path": name }),
        _ => json!({ "id": i, "message_b64": base64(name) }),
    };
    let requests: Vec<_> = names.iter().enumerate().map(request).collect();
    for (options, key) in [("", "k"), ("--deterministic", "m")] {
        directory.run(&format!("sign -f {options} --format raw -k {key}.key --files-from names")).code(0);
        for jobs in JOBS {
            let signed = run_requests(
                &directory,
                &format!("sign --stream {options} -k {key}.key {jobs}"),
                request_lines(&requests),
                0,
            );
            assert!(signed.iter().enumerate().all(|(i, answer)| answer["id"] == i));
            for (name, answer) in names.iter().zip(&signed) {
                let signature = STANDARD.decode(answer["signature_b64"].as_str().unwrap()).unwrap();
                assert!(options.is_empty() || signature == directory.get(format!("{name}.sig")), "{name}");
                directory.put(format!("{name}.sig"), signature);
            }
            directory.run(&format!("-q verify -p {key}.pub --files-from names")).code(0).out_empty();
            // Some signatures are in files next to the message, and some are in the requests.
            let mut mixed_requests = verify_requests(&requests, &signed);
            mixed_requests
                .iter_mut()
                .step_by(4)
                .for_each(|it| drop(it.as_object_mut().unwrap().remove("signature_b64")));
            let verified = run_requests(
                &directory,
                &format!("verify --stream -p {key}.pub {jobs}"),
                request_lines(&mixed_requests),
                0,
            );
            assert!(verified.iter().enumerate().all(|(i, answer)| answer["id"] == i && answer["status"] == "ok"));
        }
    }
}

#[test]
fn a_bad_line_is_answered_and_does_not_end_the_stream() {
    let directory = TestDirectory::toy();
    let valid_request = json!({ "id": "good", "path": "a" }).to_string();
    let long = format!(r#"{{"message_b64":"{}"}}"#, "A".repeat(16 << 20));
    let latin = b"{\"path\":\"\xe4\"}";
    let context = json!({ "path": "a", "context": "x".repeat(256) }).to_string();
    let bad_lines: Vec<(&[u8], &str, i64)> = vec![
        (b"", "bad_request", 3),
        (b"junk", "bad_request", 3),
        (b"{", "bad_request", 3),
        (b"[]", "bad_request", 3),
        (b"{}", "bad_request", 3),
        (b"\0", "bad_request", 3),
        (latin, "bad_request", 3),
        (br#"{"path":"a","message_b64":""}"#, "bad_request", 3),
        (br#"{"path":"a","mesage_b64":""}"#, "bad_request", 3),
        (br#"{"path":"a","signature_b64":""}"#, "bad_request", 3),
        (br#"{"path":"a","path":"a"}"#, "bad_request", 3),
        (br#"{"path":"a","id":[1]}"#, "bad_request", 3),
        (br#"{"path":"-"}"#, "bad_request", 3),
        (br#"{"path":"/dev/stdin"}"#, "bad_request", 3),
        (br#"{"message_b64":"!"}"#, "not_base64", 3),
        (long.as_bytes(), "too_large", 3),
        (context.as_bytes(), "context_too_long", 2),
        (br#"{"path":"nosuch"}"#, "not_found", 4),
        (br#"{"path":"."}"#, "is_a_directory", 4),
    ];
    for jobs in JOBS {
        let mut requests = valid_request.clone().into_bytes();
        for (line, _, _) in &bad_lines {
            requests.extend([b"\n", *line, b"\r\n", valid_request.as_bytes()].concat());
        }
        let answers = run_requests(&directory, &format!("--allow-weak sign --stream -k k.key {jobs}"), requests, 2);
        assert_eq!(answers.len(), 2 * bad_lines.len() + 1);
        assert!(answers.iter().step_by(2).all(|answer| answer["status"] == "ok" && answer["id"] == "good"));
        for (answer, (line, reason, code)) in answers.iter().skip(1).step_by(2).zip(&bad_lines) {
            let line = String::from_utf8_lossy(&line[..line.len().min(80)]);
            assert_eq!((&answer["reason"], &answer["exit_code"]), (&json!(reason), &json!(code)), "{line}");
            assert!(answer.get("signature_b64").is_none(), "{line}");
        }
    }
    // An error answer also contains the id.
    let answers = run_requests(&directory, "--allow-weak sign --stream -k k.key", r#"{"path":1,"id":"mine"}"#, 3);
    assert_eq!(answers[0]["id"], "mine");
}

#[test]
fn the_worst_answer_decides_the_exit_code() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a falcon-512 f").code(0);
    let valid = json!({ "path": "a" });
    let wrong = json!({ "path": "b", "signature_b64": base64(directory.get("a.sig")) });
    let malformed = json!({ "path": "a", "signature_b64": base64("x") });
    let missing = json!({ "path": "nosuch" });
    let with_context = json!({ "path": "a", "context": "v1" });
    let lines_of =
        |requests: &[&Value]| request_lines(&requests.iter().map(|request| (*request).clone()).collect::<Vec<_>>());
    for jobs in JOBS {
        let line = format!("verify --stream -p k.pub {jobs}");
        run_requests(&directory, &line, lines_of(&[&valid, &valid]), 0);
        assert_eq!(
            run_requests(&directory, &line, lines_of(&[&valid, &wrong, &valid]), 1)[1]["reason"],
            "signature_mismatch"
        );
        run_requests(&directory, &line, lines_of(&[&valid, &missing]), 4);
        run_requests(&directory, &line, lines_of(&[&missing, &malformed, &valid]), 3);
        let all = run_requests(&directory, &line, lines_of(&[&missing, &wrong, &malformed, &with_context, &valid]), 1);
        let codes: Vec<_> = all.iter().map(|answer| answer["exit_code"].as_i64().unwrap()).collect();
        assert_eq!(codes, [4, 1, 3, 1, 0]);
        // An answer for a NO contains the signature note and, with `--explain`, the cause.
        assert_eq!(all[1]["claims"]["fingerprint"], all[4]["key"]["fingerprint"]);
        let line = format!("verify --explain -c v1 --stream -p k.pub {jobs}");
        let explained = run_requests(&directory, &line, lines_of(&[&valid]), 1);
        assert_eq!(explained[0]["cause"]["context"]["hex"], "", "{explained:?}");
        let falcon =
            run_requests(&directory, &format!("sign --stream -k f.key {jobs}"), lines_of(&[&with_context, &valid]), 2);
        assert_eq!((&falcon[0]["reason"], &falcon[1]["status"]), (&json!("no_context"), &json!("ok")));
    }
    // Any given key may have made the signature, unless an option names the expected key.
    let line = "verify --stream -p k2.pub -p k.pub";
    run_requests(&directory, line, lines_of(&[&valid]), 0);
    let expected = format!("{line} --expect-key sha256:{}", "0".repeat(64));
    assert_eq!(run_requests(&directory, &expected, lines_of(&[&valid]), 1)[0]["reason"], "unexpected_key");
}

/// The program processes eight requests together. An error in a request does not affect the other
/// seven requests. The test tries all positions and kinds of error. The test also alternates
/// signatures by two keys.
#[test]
fn an_error_in_one_of_eight_requests_does_not_affect_the_others() {
    const GROUP_LEN: usize = 8;
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a falcon-512 f").code(0);
    directory.run("keygen -q second").code(0);
    let requests: Vec<_> = (0..GROUP_LEN).map(|i| json!({ "id": i, "message_b64": base64([i as u8; 40]) })).collect();
    let sign = |key: &str| {
        verify_requests(
            &requests,
            &run_requests(&directory, &format!("sign --stream -k {key}.key"), request_lines(&requests), 0),
        )
    };
    let (valid, second, falcon) = (sign("k"), sign("second"), sign("f"));
    let changed = |i: usize, name: &str, value: Value| {
        let mut request = valid[i].clone();
        request[name] = value;
        request.to_string()
    };
    let flipped = |i: usize| {
        let mut signature = STANDARD.decode(valid[i]["signature_b64"].as_str().unwrap()).unwrap();
        signature[100] ^= 1;
        changed(i, "signature_b64", json!(base64(signature)))
    };
    type WrongRequest<'a> = (&'a dyn Fn(usize) -> String, &'a str);
    let wrong: [WrongRequest<'_>; 9] = [
        (&|i| changed(i, "message_b64", json!(base64("other"))), "signature_mismatch"),
        (&|i| changed(i, "signature_b64", valid[(i + 1) % GROUP_LEN]["signature_b64"].clone()), "signature_mismatch"),
        (&|i| changed(i, "context", json!("v1")), "signature_mismatch"),
        (&flipped, ""),
        (&|i| second[i].to_string(), "signature_mismatch"),
        (&|i| falcon[i].to_string(), "algorithm_mismatch"),
        (&|i| changed(i, "signature_b64", json!(base64("x"))), "not_recognised"),
        (&|i| changed(i, "signature_b64", json!("!")), "not_base64"),
        (&|_| "junk".to_owned(), "bad_request"),
    ];
    let mut text = String::new();
    let mut expected = Vec::new();
    for (line, reason) in wrong {
        for at in 0..GROUP_LEN {
            for i in 0..GROUP_LEN {
                text += &(if i == at { line(i) } else { valid[i].to_string() });
                text.push('\n');
                expected.push((i, (i == at).then_some(reason)));
            }
        }
    }
    for options in ["-j 1", "-j 4", "-j 1 --backend scalar", "-j 1 --explain"] {
        let answers = run_requests(&directory, &format!("verify --stream -p k.pub {options}"), text.clone(), 1);
        assert_eq!(answers.len(), expected.len());
        for (answer, (id, reason)) in answers.iter().zip(&expected) {
            match reason {
                None => assert_eq!((&answer["id"], &answer["status"]), (&json!(id), &json!("ok")), "{answer}"),
                Some(reason) => {
                    assert_ne!(answer["status"], "ok", "{answer}");
                    assert!(reason.is_empty() || answer["reason"] == *reason, "{reason}: {answer}");
                    assert!(*reason == "bad_request" || answer["id"] == *id, "{answer}");
                }
            }
        }
    }
    let mixed: Vec<_> = (0..3 * GROUP_LEN).map(|i| [&valid, &second, &falcon][i % 3][i / 3].clone()).collect();
    for jobs in JOBS {
        let answers = run_requests(
            &directory,
            &format!("verify --stream -p k.pub -p f.pub -p second.pub {jobs}"),
            request_lines(&mixed),
            0,
        );
        let key = |i: usize| &answers[i]["key"]["fingerprint"];
        assert!((0..answers.len()).all(|i| answers[i]["id"] == i / 3 && key(i) == key(i % 3)));
        assert!(key(0) != key(1) && key(1) != key(2) && key(2) != key(0));
    }
}

#[test]
fn a_remote_signer_signs_the_digests_of_workers() {
    let directory = TestDirectory::ready();
    let mu = |file: &str| directory.run(&format!("sign -p k.pub -c v1 --print-mu {file}")).code(0).out;
    let request = |file: &str| json!({ "id": file, "message_b64": base64(mu(file)) });
    let requests = [request("a"), request("b"), json!({ "message_b64": base64([7; 64]) })];
    let signed = run_requests(&directory, "sign --stream --mu -k k.key", request_lines(&requests), 0);
    run_requests(&directory, "verify --stream --mu -p k.pub", request_lines(&verify_requests(&requests, &signed)), 0);
    directory.put("s", STANDARD.decode(signed[1]["signature_b64"].as_str().unwrap()).unwrap());
    directory.run("verify -p k.pub -c v1 -s s b").code(0);
    let short = [json!({ "message_b64": base64([7; 63]) })];
    assert_eq!(
        run_requests(&directory, "sign --stream --mu -k k.key", request_lines(&short), 3)[0]["reason"],
        "digest_length"
    );
    let context = [json!({ "message_b64": base64([7; 64]), "context": "v1" })];
    assert_eq!(
        run_requests(&directory, "sign --stream --mu -k k.key", request_lines(&context), 3)[0]["reason"],
        "bad_request"
    );
}

/// A running program that answers requests.
struct StreamSession {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl StreamSession {
    fn new(directory: &TestDirectory, line: &str) -> Self {
        let mut child = directory.call(line).open_input().spawn();
        let requests = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, requests, answers }
    }

    /// Sends a request.
    fn write_request(&mut self, request: &Value) {
        self.requests.write_all(format!("{request}\n").as_bytes()).unwrap();
    }

    /// Waits for the next answer.
    fn read_answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let answer = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        check_answer(&answer);
        answer
    }

    /// Closes standard input and waits until the program ends.
    fn close_input(self) -> ProgramOutput {
        drop(self.requests);
        finish(self.child)
    }
}

#[test]
fn each_answer_is_written_before_the_next_request() {
    let directory = TestDirectory::toy();
    for jobs in JOBS {
        let mut signer = StreamSession::new(&directory, &format!("--allow-weak sign --stream -k k.key {jobs}"));
        let mut verifier = StreamSession::new(&directory, &format!("--allow-weak verify --stream -p k.pub {jobs}"));
        for i in 0..50 {
            let mut request = json!({ "id": i, "message_b64": base64(i.to_string()) });
            signer.write_request(&request);
            request["signature_b64"] = signer.read_answer()["signature_b64"].clone();
            verifier.write_request(&request);
            let answer = verifier.read_answer();
            assert_eq!((&answer["id"], &answer["status"], &answer["line"]), (&json!(i), &json!("ok"), &json!(i + 1)));
        }
        signer.close_input().code(0);
        verifier.close_input().code(0);
    }
}

#[test]
fn a_pipe_in_a_request_does_not_block() {
    let directory = TestDirectory::toy();
    assert_eq!(ProgramCall::new("mkfifo", directory.root()).arg("p").run().code, 0);
    for jobs in JOBS {
        let mut signer = StreamSession::new(&directory, &format!("--allow-weak sign --stream -k k.key {jobs}"));
        // Send all lines at once.
        let three =
            request_lines(&[json!({ "message_b64": "" }), json!({ "path": "p" }), json!({ "message_b64": "" })]);
        signer.requests.write_all(three.as_bytes()).unwrap();
        assert_eq!(signer.read_answer()["line"], 1);
        // `p` is a named pipe without a writer. The program reports this without waiting.
        assert_eq!(
            (signer.read_answer()["reason"].clone(), signer.read_answer()["line"].clone()),
            (json!("not_a_regular_file"), json!(3))
        );
        signer.close_input().code(4);
    }
}

#[test]
fn a_closed_output_ends_the_stream() {
    let directory = TestDirectory::toy();
    for jobs in JOBS {
        let line = format!("--allow-weak sign --stream -k k.key {jobs}");
        let mut signer = StreamSession::new(&directory, &line);
        drop(signer.answers);
        signer.requests.write_all(b"{\"message_b64\":\"\"}\n").unwrap();
        // Standard input stays open.
        let output = finish(signer.child).code(141);
        assert_eq!(output.err, "");
        drop(signer.requests);
        if fs::exists("/dev/full").unwrap() {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let call = directory.call(&line).input("{\"message_b64\":\"\"}\n".repeat(1000)).to(full);
            call.run().code(4).err_has("no space left");
        }
    }
}

#[test]
fn a_signal_ends_the_stream_between_two_answers() {
    let directory = TestDirectory::toy();
    for jobs in JOBS {
        let mut signer = StreamSession::new(&directory, &format!("--allow-weak sign --stream -k k.key {jobs}"));
        signer.requests.write_all("{\"message_b64\":\"\"}\n".repeat(500).as_bytes()).unwrap();
        let mut text = String::new();
        for _ in 0..10 {
            signer.answers.read_line(&mut text).unwrap();
        }
        signal(signer.child.id(), "TERM");
        signer.answers.read_to_string(&mut text).unwrap();
        assert_eq!(finish(signer.child).code, 143);
        drop(signer.requests);
        let whole = text.rfind('\n').unwrap();
        for (i, line) in text[..whole].lines().enumerate() {
            assert_eq!(serde_json::from_str::<Value>(line).unwrap()["line"], i + 1);
        }
    }
}

/// Returns whether all threads of a process are waiting. Returns `None` if the system does not
/// report this.
fn all_threads_wait(id: u32) -> Option<bool> {
    let tasks = fs::read_dir(format!("/proc/{id}/task")).ok()?;
    let waits = |stat: String| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('S'));
    Some(tasks.flatten().all(|task| fs::read_to_string(task.path().join("stat")).is_ok_and(waits)))
}

#[test]
fn no_more_requests_are_read_while_answers_are_unread() {
    /// More bytes than the program and the pipes can buffer: groups of eight answers, requests that
    /// are read ahead, and both pipes.
    const MOST: usize = 4 << 20;
    let directory = TestDirectory::toy();
    let request = format!("{}\n", json!({ "path": "a", "signature_b64": base64(directory.get("a.sig")) }));
    let piece = request.repeat(20);
    for jobs in JOBS {
        let mut program = StreamSession::new(&directory, &format!("--allow-weak verify --stream -p k.pub {jobs}"));
        if all_threads_wait(program.child.id()).is_none() {
            return skip("back-pressure", "there is no /proc");
        }
        let (written_bytes, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let mut requests = program.requests;
            scope.spawn(|| {
                while written_bytes.load(Ordering::SeqCst) < 2 * MOST && requests.write_all(piece.as_bytes()).is_ok() {
                    written_bytes.fetch_add(piece.len(), Ordering::SeqCst);
                }
                drop(requests);
                is_over.store(true, Ordering::SeqCst);
            });
            let (mut before, mut looks) = (0, 0);
            wait_for("the end of reading", || {
                let now = written_bytes.load(Ordering::SeqCst);
                let is_still = now == before && now > 0 && all_threads_wait(program.child.id()) == Some(true);
                (before, looks) = (now, if is_still { looks + 1 } else { 0 });
                looks > 1000 || is_over.load(Ordering::SeqCst)
            });
            assert!(before < MOST, "{jobs}: {before} bytes were read");
            // When the test reads the answers, the program answers all requests.
            let mut count = 0;
            while program.answers.skip_until(b'\n').unwrap() > 0 {
                count += 1;
            }
            assert_eq!(count * request.len(), written_bytes.load(Ordering::SeqCst), "{jobs}");
        });
        finish(program.child).code(0);
    }
}

#[test]
fn a_million_requests_are_verified_in_constant_memory() {
    let count = if long() { 1_000_000 } else { 20_000 };
    let directory = TestDirectory::ready();
    let requests: Vec<_> =
        (0..1000).map(|i| json!({ "id": i, "message_b64": base64(format!("message {i}")) })).collect();
    let signed = run_requests(&directory, "sign --stream -k k.key", request_lines(&requests), 0);
    let text = request_lines(&verify_requests(&requests, &signed));
    let mut program = StreamSession::new(&directory, "verify --stream -p k.pub");
    let start = std::time::Instant::now();
    let mut requests = program.requests;
    let status = std::thread::scope(|scope| {
        let (send, receive) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            for _ in 0..count / 1000 {
                requests.write_all(text.as_bytes()).unwrap();
            }
            // The program waits for more input until the test has checked its memory.
            let _ = receive.recv();
        });
        let mut answer = Vec::new();
        for _ in 0..count {
            answer.clear();
            program.answers.read_until(b'\n', &mut answer).unwrap();
            assert!(
                answer.windows(13).any(|part| part == b"\"status\":\"ok\""),
                "{}",
                String::from_utf8_lossy(&answer)
            );
        }
        let status = fs::read_to_string(format!("/proc/{}/status", program.child.id()));
        drop(send);
        status
    });
    let seconds = start.elapsed().as_secs_f64();
    finish(program.child).code(0);
    let Ok(status) = status else { return skip("peak memory", "there is no /proc") };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kilobytes: u64 = peak.split_whitespace().next().unwrap().parse().unwrap();
    println!("{count} verified: {kilobytes} KB at most, {:.0} a second", count as f64 / seconds);
    assert!(kilobytes < 64 << 10, "{kilobytes} KB");
}

#[test]
fn a_stream_can_use_an_encrypted_key() {
    let directory = TestDirectory::ready();
    directory.run("convert k.key -o locked --to pkcs8 --encrypt --new-password-file a").code(0);
    let request = "{\"message_b64\":\"\"}\n";
    run_requests(&directory, "sign --stream -k locked --password-file a", request, 0);
    directory.call("sign --stream -k locked --password-file b").input(request).run().code(5).out_empty();
    for line in ["sign --stream -k locked --password-file -", "sign --stream -k -", "verify --stream -p -"] {
        directory
            .call(line)
            .input(request)
            .run()
            .code(2)
            .out_empty()
            .err_has("standard input (`-`) is given for more than one input");
    }
}

#[test]
fn options_without_effect_on_a_stream_are_usage_errors() {
    let directory = TestDirectory::ready();
    let sign = ["a", "-", "--files-from a", "-o s", "-M l", "--print-mu", "--format raw", "-f", "-p k.pub", "-0"];
    let verify = ["a", "--files-from a", "-s a.sig", "-M l", "--attached", "--ignore-missing", "-o s", "-f", "-0"];
    for (line, options) in [("sign -k k.key", &sign[..]), ("verify -p k.pub", &verify)] {
        let line = format!("{line} --stream");
        for option in options {
            directory.call(&format!("{line} {option}")).input("{}\n").run().code(2).out_empty();
        }
        let output = directory.call(&format!("--json {line}")).input("{}\n").run().code(2);
        assert_eq!(output.json()["error"]["reason"], "json_format");
        directory.call(&line).input("").run().code(2).out_empty().err_has("the input names no files");
        directory.sh(&format!("$FNDSA {line} <&-")).code(4).out_empty().err_has("standard input: bad file descriptor");
    }
    assert!(!directory.has("s") && !directory.has("l"));
}
