// The module go-jose as a peer. tests/peers/python/jose.py describes the commands. go-jose has no
// ML-DSA, so the algorithm is always EdDSA.
package main

import (
	"bufio"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

func bytes(word string) []byte {
	data, err := hex.DecodeString(word)
	if err != nil {
		panic(err)
	}
	return data
}

func answer(words []string) (string, error) {
	if words[0] == "keygen-of" {
		_, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return "", err
		}
		data, err := json.Marshal(jose.JSONWebKey{Key: private})
		return hex.EncodeToString(data), err
	}
	var key jose.JSONWebKey
	if err := json.Unmarshal(bytes(words[1]), &key); err != nil {
		return "", err
	}
	if words[0] == "sign-detached" {
		options := &jose.SignerOptions{}
		if words[3] == "false" {
			options = options.WithBase64(false)
		}
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: key.Key}, options)
		if err != nil {
			return "", err
		}
		signed, err := signer.Sign(bytes(words[4]))
		if err != nil {
			return "", err
		}
		text, err := signed.DetachedCompactSerialize()
		return hex.EncodeToString([]byte(text)), err
	}
	text := strings.TrimSpace(string(bytes(words[3])))
	signed, err := jose.ParseDetached(text, bytes(words[4]), []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil {
		return "", err
	}
	if _, err := signed.Verify(&key); err != nil {
		return "", err
	}
	thumbprint, err := key.Thumbprint(crypto.SHA256)
	return hex.EncodeToString([]byte(base64.RawURLEncoding.EncodeToString(thumbprint))), err
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24)
	for input.Scan() {
		text, err := answer(strings.Split(input.Text(), "\t"))
		if err != nil {
			text = "error: " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(text)
	}
}
