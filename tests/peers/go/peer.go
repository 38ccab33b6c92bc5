// The package crypto/mldsa as a peer. Each line of standard input is a command: words with tabs
// between them, and bytes in hexadecimal. The answer is a line. tests/common/mldsa_programs.rs
// defines the commands. Private keys are PKCS#8 with the seed, and public keys are SPKI.
package main

import (
	"bufio"
	"crypto"
	"crypto/mldsa"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
)

var sets = map[string]mldsa.Parameters{
	"ml-dsa-44": mldsa.MLDSA44(), "ml-dsa-65": mldsa.MLDSA65(), "ml-dsa-87": mldsa.MLDSA87(),
}

// Answers a command. The words after the form are bytes in hexadecimal.
func answer(words []string) (string, error) {
	set, known := sets[words[1]]
	if !known {
		return "", errors.New("no such set")
	}
	if words[0] == "keygen" {
		private, err := mldsa.GenerateKey(set)
		if err != nil {
			return "", err
		}
		pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
		if err != nil {
			return "", err
		}
		spki, err := x509.MarshalPKIXPublicKey(private.PublicKey())
		return hex.EncodeToString(pkcs8) + "\t" + hex.EncodeToString(spki), err
	}
	form := words[2]
	var bytes [][]byte
	for _, word := range words[3:] {
		piece, err := hex.DecodeString(word)
		if err != nil {
			return "", err
		}
		bytes = append(bytes, piece)
	}
	options := &mldsa.Options{Context: string(bytes[2])}
	if words[0] == "sign" {
		key, err := x509.ParsePKCS8PrivateKey(bytes[0])
		if err != nil {
			return "", err
		}
		private, good := key.(*mldsa.PrivateKey)
		if !good || private.PublicKey().Parameters() != set {
			return "", errors.New("a key of another algorithm")
		}
		if form == "mu" {
			signature, err := private.Sign(nil, bytes[1], crypto.MLDSAMu)
			return hex.EncodeToString(signature), err
		}
		if form == "deterministic" {
			signature, err := private.SignDeterministic(bytes[1], options)
			return hex.EncodeToString(signature), err
		}
		signature, err := private.Sign(nil, bytes[1], options)
		return hex.EncodeToString(signature), err
	}
	key, err := x509.ParsePKIXPublicKey(bytes[0])
	if err != nil {
		return "", err
	}
	public, good := key.(*mldsa.PublicKey)
	if !good || public.Parameters() != set {
		return "", errors.New("a key of another algorithm")
	}
	return fmt.Sprint(mldsa.Verify(public, bytes[1], bytes[3], options) == nil), nil
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		result, err := answer(strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		if err != nil {
			result = "error: " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(result)
	}
}
