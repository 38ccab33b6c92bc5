// Verifies an ML-DSA-65 signature with a C++ class for a public key. Its function `verifies`
// returns a bool.
//
//     c++ -std=c++17 -Icapi/include capi/examples/verify.cpp target/library/libfndsa.a -o verify && ./verify

#include "fndsa.h"
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

// Throws the text of an error.
static void check(int code) {
    if (code != FNDSA_OK) throw std::runtime_error(fndsa_strerror(code));
}

using Bytes = std::vector<uint8_t>;

class PublicKey {
  public:
    PublicKey(uint32_t algorithm, Bytes bytes) : algorithm_(algorithm), bytes_(std::move(bytes)) {}

    // Returns whether the signature is valid. Every code except FNDSA_OK is NO.
    bool verifies(const std::string &message, const Bytes &signature) const {
        Bytes work(fndsa_verify_fast_work_bytes(algorithm_));
        return fndsa_verify(algorithm_, bytes_.data(), bytes_.size(), nullptr, reinterpret_cast<const uint8_t *>(message.data()),
                            message.size(), signature.data(), signature.size(), work.data(), work.size())
            == FNDSA_OK;
    }

  private:
    uint32_t algorithm_;
    Bytes bytes_;
};

int main() {
    const uint32_t algorithm = FNDSA_ML_DSA_65;
    const std::string message = "a message";
    Bytes secret(fndsa_private_key_bytes(algorithm)), open(fndsa_public_key_bytes(algorithm)), signature(fndsa_signature_bytes(algorithm));
    Bytes work(fndsa_sign_fast_work_bytes(algorithm));
    try {
        check(fndsa_keygen(algorithm, secret.data(), secret.size(), open.data(), open.size(), nullptr, work.data(), work.size()));
        std::size_t len = signature.size();
        check(fndsa_sign(algorithm, secret.data(), secret.size(), nullptr, reinterpret_cast<const uint8_t *>(message.data()), message.size(),
                         signature.data(), &len, nullptr, work.data(), work.size()));
        signature.resize(len);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    const PublicKey key(algorithm, open);
    if (!key.verifies(message, signature) || key.verifies("another message", signature)) return 1;
    std::puts("the signature is valid, and only for its message");
    return 0;
}
