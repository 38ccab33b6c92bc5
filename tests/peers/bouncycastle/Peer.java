import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.Signer;
import org.bouncycastle.crypto.generators.MLDSAKeyPairGenerator;
import org.bouncycastle.crypto.params.MLDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.MLDSAKeyParameters;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.ParametersWithContext;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.signers.HashMLDSASigner;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.bouncycastle.pqc.crypto.falcon.FalconKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.falcon.FalconKeyPairGenerator;
import org.bouncycastle.pqc.crypto.falcon.FalconParameters;
import org.bouncycastle.pqc.crypto.falcon.FalconPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.falcon.FalconPublicKeyParameters;
import org.bouncycastle.pqc.crypto.falcon.FalconSigner;
import org.bouncycastle.pqc.crypto.util.PrivateKeyFactory;
import org.bouncycastle.pqc.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.pqc.crypto.util.PublicKeyFactory;
import org.bouncycastle.pqc.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.util.encoders.Hex;

/**
 * BouncyCastle as a peer. Each line of standard input is a command: words with tabs between them,
 * and bytes in hexadecimal. The answer is a line. tests/common/programs.rs and
 * tests/common/mldsa_programs.rs define the commands.
 */
public class Peer {
    /** A degree and the lengths of its encoded polynomials: f and g, F. */
    record Degree(FalconParameters parameters, int logn, int small, int large) {
        static Degree of(String name) {
            switch (name) {
                case "falcon512": return new Degree(FalconParameters.falcon_512, 9, 384, 512);
                case "falcon1024": return new Degree(FalconParameters.falcon_1024, 10, 640, 1024);
                default: throw new IllegalArgumentException("no algorithm " + name);
            }
        }

        FalconPrivateKeyParameters privateKey(byte[] raw, byte[] publicKey) {
            check(raw, 0x50 + logn, 1 + 2 * small + large);
            byte[] f = Arrays.copyOfRange(raw, 1, 1 + small);
            byte[] g = Arrays.copyOfRange(raw, 1 + small, 1 + 2 * small);
            byte[] bigF = Arrays.copyOfRange(raw, 1 + 2 * small, raw.length);
            return new FalconPrivateKeyParameters(parameters, f, g, bigF, publicKey);
        }

        FalconPublicKeyParameters publicKey(byte[] raw) {
            check(raw, logn, 1 + (7 << logn) / 4);
            return new FalconPublicKeyParameters(parameters, Arrays.copyOfRange(raw, 1, raw.length));
        }

        String raw(FalconPrivateKeyParameters key) {
            return Hex.toHexString(new byte[] {(byte) (0x50 + logn)}) + Hex.toHexString(key.getSpolyf())
                + Hex.toHexString(key.getG()) + Hex.toHexString(key.getSpolyF());
        }

        String raw(FalconPublicKeyParameters key) {
            return Hex.toHexString(new byte[] {(byte) logn}) + Hex.toHexString(key.getH());
        }

        /** Checks the header byte and the length. BouncyCastle's encodings have no header byte. */
        private static void check(byte[] raw, int header, int length) {
            if (raw.length != length || (raw[0] & 255) != header) {
                throw new IllegalArgumentException("a key of another kind");
            }
        }
    }

    static MLDSAParameters set(String name) {
        switch (name) {
            case "ml-dsa-44": return MLDSAParameters.ml_dsa_44;
            case "ml-dsa-65": return MLDSAParameters.ml_dsa_65;
            case "ml-dsa-87": return MLDSAParameters.ml_dsa_87;
            default: throw new IllegalArgumentException("no algorithm " + name);
        }
    }

    /** Answers a command for ML-DSA. */
    static String standard(String[] words) throws Exception {
        MLDSAParameters set = set(words[1]);
        if (words[0].equals("keygen")) {
            MLDSAKeyPairGenerator generator = new MLDSAKeyPairGenerator();
            generator.init(new MLDSAKeyGenerationParameters(new SecureRandom(), set));
            var pair = generator.generateKeyPair();
            var pkcs8 = org.bouncycastle.crypto.util.PrivateKeyInfoFactory.createPrivateKeyInfo(pair.getPrivate());
            var spki = org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(pair.getPublic());
            return Hex.toHexString(pkcs8.getEncoded()) + "\t" + Hex.toHexString(spki.getEncoded());
        }
        boolean signs = words[0].equals("sign");
        byte[] der = Hex.decode(words[3]);
        byte[] message = Hex.decode(words[4]);
        var key = (MLDSAKeyParameters) (signs ? org.bouncycastle.crypto.util.PrivateKeyFactory.createKey(der)
            : org.bouncycastle.crypto.util.PublicKeyFactory.createKey(der));
        if (key.getParameters() != set) {
            throw new IllegalArgumentException("a key of " + key.getParameters().getName());
        }
        boolean hedged = signs && !words[2].equals("deterministic");
        CipherParameters parameters = hedged ? new ParametersWithRandom(key, new SecureRandom()) : key;
        Signer signer = words[2].equals("sha512") ? new HashMLDSASigner() : new MLDSASigner();
        signer.init(signs, new ParametersWithContext(parameters, Hex.decode(words[5])));
        if (words[2].equals("mu")) {
            return Hex.toHexString(((MLDSASigner) signer).generateMuSignature(message));
        }
        signer.update(message, 0, message.length);
        return signs ? Hex.toHexString(signer.generateSignature())
            : String.valueOf(signer.verifySignature(Hex.decode(words[6])));
    }

    static String answer(String[] words) throws Exception {
        if (words[1].startsWith("ml-dsa-")) {
            return standard(words);
        }
        Degree degree = Degree.of(words[1]);
        FalconSigner signer = new FalconSigner();
        switch (words[0]) {
            case "keygen": {
                FalconKeyPairGenerator generator = new FalconKeyPairGenerator();
                generator.init(new FalconKeyGenerationParameters(new SecureRandom(), degree.parameters));
                var pair = generator.generateKeyPair();
                return degree.raw((FalconPrivateKeyParameters) pair.getPrivate()) + "\t"
                    + degree.raw((FalconPublicKeyParameters) pair.getPublic());
            }
            case "sign":
                form(words[2]);
                signer.init(true, degree.privateKey(Hex.decode(words[3]), new byte[0]));
                return Hex.toHexString(signer.generateSignature(Hex.decode(words[4])));
            case "verify":
                form(words[2]);
                signer.init(false, degree.publicKey(Hex.decode(words[3])));
                return String.valueOf(signer.verifySignature(Hex.decode(words[4]), Hex.decode(words[5])));
            case "to-pkcs8": {
                byte[] h = degree.publicKey(Hex.decode(words[3])).getH();
                var key = degree.privateKey(Hex.decode(words[2]), h);
                return Hex.toHexString(PrivateKeyInfoFactory.createPrivateKeyInfo(key).getEncoded());
            }
            case "from-pkcs8": {
                var key = (FalconPrivateKeyParameters) PrivateKeyFactory.createKey(Hex.decode(words[2]));
                return degree.raw(key) + "\t" + degree.raw(key.getPublicKeyParameters());
            }
            case "to-spki": {
                var key = degree.publicKey(Hex.decode(words[2]));
                return Hex.toHexString(SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(key).getEncoded());
            }
            case "from-spki":
                return degree.raw((FalconPublicKeyParameters) PublicKeyFactory.createKey(Hex.decode(words[2])));
            default:
                throw new IllegalArgumentException("no command " + words[0]);
        }
    }

    static void form(String name) {
        if (!name.equals("compressed")) {
            throw new IllegalArgumentException("no form " + name);
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                System.out.println(answer(line.split("\t", -1)));
            } catch (Exception e) {
                System.out.println("error: " + String.valueOf(e).split("\n")[0]);
            }
        }
    }
}
