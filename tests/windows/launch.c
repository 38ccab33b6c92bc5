// Starts a program, and disturbs it when a file matches a pattern: launch REPORT ACTION PATTERN
// PROGRAM ARGUMENT...
//
// Writes a line to the file REPORT: "hit" or "missed", and the exit code. The actions are:
//
//   run     does not disturb the program; there is no pattern
//   kill    ends the process from outside
//   NAME    makes a file with this name and the text "mine", which is a hit if the name was free
//   mute    starts the program without a standard output; there is no pattern
//
// The exit code is 0 if launch wrote the report, even if the program failed. It is 2 for wrong
// arguments, 3 if the program does not start, and 5 if the report cannot be written.
#include <stdio.h>
#include <string.h>
#include <windows.h>

// Ignores Ctrl-C in this program.
static BOOL WINAPI ignore_event(DWORD event) { return TRUE; }

int main(int argc, char **argv) {
  STARTUPINFOA start = {sizeof start};
  PROCESS_INFORMATION process;
  WIN32_FIND_DATAA found;
  DWORD code = 0;
  BOOL hit = FALSE;
  char line[8192] = "";
  if (argc < 5) return 2;
  for (int i = 4; i < argc; i++) {
    if (strlen(line) + strlen(argv[i]) + 4 > sizeof line) return 2;
    strcat(strcat(strcat(line, "\""), argv[i]), "\" ");
  }
  const char *action = argv[2];
  BOOL waits = strcmp(action, "run") && strcmp(action, "mute");
  if (!strcmp(action, "mute")) {
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  }
  SetConsoleCtrlHandler(ignore_event, TRUE);
  if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) return 3;
  while (waits && !hit && WaitForSingleObject(process.hProcess, 0) != WAIT_OBJECT_0) {
    HANDLE search = FindFirstFileA(argv[3], &found);
    hit = search != INVALID_HANDLE_VALUE;
    if (hit) FindClose(search);
  }
  if (hit && !strcmp(action, "kill")) {
    TerminateProcess(process.hProcess, 77);
  } else if (hit) {
    DWORD len;
    HANDLE file = CreateFileA(action, GENERIC_WRITE, 7, NULL, CREATE_NEW, 0, NULL);
    hit = file != INVALID_HANDLE_VALUE && WriteFile(file, "mine", 4, &len, NULL) && CloseHandle(file);
  }
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &code);
  FILE *report = fopen(argv[1], "w");
  if (!report) return 5;
  fprintf(report, "%s %08lx\n", hit ? "hit" : "missed", code);
  fclose(report);
  return 0;
}
