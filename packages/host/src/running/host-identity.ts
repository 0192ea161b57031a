import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSameSecret } from '../gateway/principals/same-secret.ts'

// not imported: that would load the WebSocket client of Node too, at every start
const { request: sendRequest } = process.getBuiltinModule('node:http')

/** Path at which a host shows that it holds the secrets in its files. */
const identityPath = '/api/identity'
const maxChallenge = 128
/** A busy host may take a moment; a program that never answers is not waited for. */
const answerMs = 5_000
const maxAnswerBytes = 4_096

/** Answers a challenge with one proof per secret; false for any other request. */
export function answerIdentity(
  { url = '' }: Pick<IncomingMessage, 'url'>,
  response: ServerResponse,
  secrets: readonly string[],
): boolean {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  if (pathname !== identityPath) return false
  const challenge = searchParams.get('challenge') ?? ''
  const isUsable = challenge !== '' && challenge.length <= maxChallenge
  const answer = isUsable
    ? { proofs: secrets.map((secret) => proofOf(secret, challenge)) }
    : { error: `Send "challenge", of up to ${maxChallenge} characters` }
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(isUsable ? 200 : 400, headers).end(JSON.stringify(answer))
  return true
}

/**
 * True when the program at an address holds the secret. The secret itself is not sent: another program may have taken
 * the port of a host that was killed.
 */
export async function provesItself({ url, token }: { readonly url: string; readonly token: string }): Promise<boolean> {
  const challenge = randomBytes(24).toString('base64url')
  const answer = await ask(new URL(`${identityPath}?challenge=${challenge}`, url))
  if (answer === undefined) return false
  const expected = proofOf(token, challenge)
  return proofsIn(answer.text).some((proof) => isSameSecret(proof, expected))
}

/** True when any program answers HTTP at an address; all that a host of an earlier version can show. */
export async function answersHttp(url: string): Promise<boolean> {
  return (await ask(new URL(identityPath, url))) !== undefined
}

function proofOf(secret: string, challenge: string): string {
  return createHmac('sha256', secret).update(`trunkline ${challenge}`).digest('base64url')
}

function proofsIn(text: string): readonly string[] {
  try {
    const { proofs } = JSON.parse(text) as { readonly proofs?: unknown }
    return Array.isArray(proofs) ? proofs.filter((proof) => typeof proof === 'string') : []
  } catch {
    return []
  }
}

/** The beginning of an answer; undefined where none comes. */
function ask(url: URL): Promise<{ readonly text: string } | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(answerMs)
    const sent = sendRequest(url, { agent: false, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
        if (text.length > maxAnswerBytes) response.destroy()
      })
      response.once('close', () => resolve({ text }))
      response.once('error', () => resolve({ text }))
    })
    sent.once('error', () => resolve(undefined))
    sent.end()
  })
}
