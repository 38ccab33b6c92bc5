// Verifies and makes DSSE envelopes with sigstore, which uses go-securesystemslib.
//
//	peer verify TYPE PUBLIC <ENVELOPE    prints the payload, if the key signed it
//	peer sign TYPE PRIVATE <PAYLOAD      prints an envelope
//
// Keys are ML-DSA keys in PEM. The exit code is 1 if an envelope is rejected, and 2 for errors.
package main

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"os"

	"github.com/sigstore/sigstore/pkg/cryptoutils"
	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/sigstore/sigstore/pkg/signature/dsse"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func main() {
	payloadType := os.Args[2]
	key, err := os.ReadFile(os.Args[3])
	check(err)
	input, err := io.ReadAll(os.Stdin)
	check(err)
	if os.Args[1] == "sign" {
		block, _ := pem.Decode(key)
		private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		check(err)
		signer, err := signature.LoadSigner(private, crypto.Hash(0))
		check(err)
		envelope, err := dsse.WrapSigner(signer, payloadType).SignMessage(bytes.NewReader(input))
		check(err)
		os.Stdout.Write(envelope)
		return
	}
	public, err := cryptoutils.UnmarshalPEMToPublicKey(key)
	check(err)
	verifier, err := signature.LoadVerifier(public, crypto.Hash(0))
	check(err)
	var payload []byte
	wrapped := dsse.WrapVerifier(verifier, dsse.WithExpectedPayloadType(payloadType), dsse.WithDecodedPayload(&payload))
	if err := wrapped.VerifySignature(bytes.NewReader(input), nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(payload)
}
