/** Carries a signature of a passkey, as JSON in base64url. */
export const proofHeader = 'trunkline-proof'

/** Required proof of a request: a PIN in its terminal, or a passkey that signs the challenge. */
export type WantedProof =
  | { readonly kind: 'pin' }
  | {
      readonly kind: 'passkey'
      /** Of the page at which the passkey can sign. */
      readonly origin: string
      readonly challenge: string
      readonly passkeys: readonly string[]
      /** The decision, in words. */
      readonly decision: string
    }
