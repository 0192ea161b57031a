import type { RouteAnswer } from '@trunkline/host/page-api'
import { createStore } from './store.ts'

/** Signature that the host requires before a decision. */
export interface WantedPasskey {
  readonly challenge: string
  /** The passkeys that may sign, in base64url. */
  readonly passkeys: readonly string[]
  /** The decision in words. */
  readonly decision: string
}

/** A decision that waits for the person to confirm it with a passkey. */
export interface PasskeyRequest extends WantedPasskey {
  confirm(header: string): void
  cancel(): void
}

/** The one that is on the screen. */
export const passkeyRequest = createStore<PasskeyRequest | undefined>(undefined)

/** Asks the person to confirm a decision; resolves with the header that carries the signature, or nothing if they do not. */
export function confirmed(wanted: WantedPasskey): Promise<string | undefined> {
  passkeyRequest.get()?.cancel()
  return new Promise((resolve) => {
    const settle = (header: string | undefined): void => {
      passkeyRequest.set(undefined)
      resolve(header)
    }
    passkeyRequest.set({ ...wanted, confirm: settle, cancel: () => settle(undefined) })
  })
}

/** Lets a passkey sign; the browser asks for the finger, the face or the PIN of the passkey. */
export async function sign({ challenge, passkeys }: WantedPasskey): Promise<string> {
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: bytesOf(challenge),
      rpId: location.hostname,
      allowCredentials: passkeys.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
      userVerification: 'required',
    },
  })) as PublicKeyCredential
  const response = credential.response as AuthenticatorAssertionResponse
  const signed = {
    id: credential.id,
    clientData: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  }
  return textOf(new TextEncoder().encode(JSON.stringify(signed)).buffer)
}

/** A passkey as the browser made it, as the host takes it. */
export interface NewPasskey {
  readonly id: string
  readonly publicKey: string
  readonly algorithm: number
  readonly clientData: string
  readonly authenticatorData: string
}

/** Makes a passkey for this page. */
export async function makePasskey(wanted: RouteAnswer<'registerPasskey'>): Promise<NewPasskey> {
  const credential = (await navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(wanted.challenge),
      rp: { id: wanted.host, name: 'Trunkline' },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'Trunkline', displayName: 'Trunkline' },
      pubKeyCredParams: wanted.algorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: wanted.passkeys.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
      attestation: 'none',
    },
  })) as PublicKeyCredential
  const response = credential.response as AuthenticatorAttestationResponse
  const publicKey = response.getPublicKey()
  if (!publicKey) throw new Error('This browser does not tell the key of the passkey')
  return {
    id: credential.id,
    publicKey: textOf(publicKey),
    algorithm: response.getPublicKeyAlgorithm(),
    clientData: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.getAuthenticatorData()),
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function textOf(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
