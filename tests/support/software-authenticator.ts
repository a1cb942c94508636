import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What a forged answer says in place of the truth. */
type Claims = { origin?: string; rpId?: string; userVerified?: boolean; counter?: number; type?: string; id?: string };
type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId: string; allowCredentials?: { id: string }[] };

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const CBOR_MAP_OF_THREE = Buffer.from([0xa3]);
const CBOR_EMPTY_MAP = Buffer.from([0xa0]);

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();

/** A device with passkeys, which answers as a browser at `origin` passes it on. It signs with ECDSA on P-256. */
export class SoftwareAuthenticator {
  /** Increased by each use, unless `countsUses` is false, as of passkeys that are shared between devices. */
  counter = 0;
  readonly countsUses: boolean;
  readonly origin: string;
  credentialId = "";
  userHandle = "";
  private privateKey: KeyObject | null = null;

  constructor(origin: string, { countsUses = true } = {}) {
    this.origin = origin;
    this.countsUses = countsUses;
  }

  /** Another device with the same keys and count, as from a stolen backup. */
  copy(): SoftwareAuthenticator {
    return Object.assign(new SoftwareAuthenticator(this.origin, { countsUses: this.countsUses }), this);
  }

  /** The JSON text of a new passkey, as forms and the API take it. */
  create(options: CreationOptions, claims: Claims = {}): string {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const id = claims.id ? Buffer.from(claims.id, "base64url") : randomBytes(16);
    this.privateKey = privateKey;
    this.credentialId = base64url(id);
    this.userHandle = options.user.id;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(x, y)]);
    const data = this.authenticatorData(options.rp.id, HAS_CREDENTIAL, claims);
    const attestationObject = Buffer.concat([
      CBOR_MAP_OF_THREE,
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      CBOR_EMPTY_MAP,
      cborText("authData"),
      cborBytes(Buffer.concat([data, attested])),
    ]);
    return this.answer({
      attestationObject: base64url(attestationObject),
      clientDataJSON: base64url(this.clientData("webauthn.create", options.challenge, claims)),
      transports: ["internal", "unknown-transport"],
    });
  }

  /** The JSON text of an answer with the passkey, as forms and the API take it. */
  get(options: RequestOptions, claims: Claims = {}): string {
    if (!this.privateKey) throw new Error("This device has no passkey.");
    if (this.countsUses) this.counter += 1;
    const clientData = this.clientData("webauthn.get", options.challenge, claims);
    const authenticatorData = this.authenticatorData(options.rpId, 0, claims);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), this.privateKey);
    return this.answer({
      authenticatorData: base64url(authenticatorData),
      clientDataJSON: base64url(clientData),
      signature: base64url(signature),
      userHandle: this.userHandle,
    });
  }

  private answer(response: object): string {
    const id = this.credentialId;
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }

  private clientData(type: string, challenge: string, claims: Claims): Buffer {
    const data = { type: claims.type ?? type, challenge, origin: claims.origin ?? this.origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  private authenticatorData(rpId: string, flags: number, claims: Claims): Buffer {
    const verified = claims.userVerified === false ? 0 : USER_VERIFIED;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(claims.counter ?? this.counter);
    return Buffer.concat([sha256(claims.rpId ?? rpId), Buffer.from([flags | USER_PRESENT | verified]), count]);
  }
}

/** A P-256 key in COSE: kty 2, alg -7, crv 1, x, y. */
function coseKey(x: string, y: string): Buffer {
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, "base64url")),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, "base64url")),
  ]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

/** Byte strings of 24 to 255 bytes. */
function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}
