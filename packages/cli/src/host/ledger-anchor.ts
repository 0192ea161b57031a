import { execFile } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SignedTip } from '@trunkline/host'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'

/** The file that anchors are appended to in a git repository. */
export const anchorsFile = 'trunkline-anchors.jsonl'

/** Time limit of a webhook. */
const webhookMs = 10_000

/** Places that an anchor is put at. */
export interface AnchorPlaces {
  /** A file it is appended to. */
  readonly append?: string | undefined
  /** A git repository it is committed to. */
  readonly git?: string | undefined
  /** An address it is sent to. */
  readonly webhook?: string | undefined
}

/** Puts an anchor at every place that was named; tells where, one sentence each. */
export async function putAnchor(tip: SignedTip, { append, git, webhook }: AnchorPlaces): Promise<readonly string[]> {
  const address = webhook === undefined ? undefined : webhookAddress(webhook)
  const told: string[] = []
  if (append !== undefined) {
    await appendAnchor(append, tip)
    told.push(`appended to ${append}`)
  }
  if (git !== undefined) told.push(`committed as ${await commitAnchor(git, tip)}`)
  if (address) {
    await sendAnchor(address, tip)
    told.push(`sent to ${address.origin}`)
  }
  return told
}

async function appendAnchor(file: string, tip: SignedTip): Promise<void> {
  await appendFile(file, `${JSON.stringify(tip)}\n`).catch((error: Error) => {
    throw usageFailure(`Cannot append to "${file}": ${error.message}`)
  })
}

async function commitAnchor(folder: string, tip: SignedTip): Promise<string> {
  const git = async (...args: readonly string[]) =>
    (await promisify(execFile)('git', ['-C', folder, ...args])).stdout.trim()
  try {
    await git('rev-parse', '--git-dir')
    await appendAnchor(join(folder, anchorsFile), tip)
    await git('add', '--', anchorsFile)
    // other staged files are not ours to commit
    await git('commit', '--quiet', '-m', `trunkline: ledger line ${tip.number}`, '--', anchorsFile)
    return await git('rev-parse', '--short', 'HEAD')
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string }
    throw usageFailure(`Cannot commit to "${folder}": ${(stderr ?? message).trim()}`)
  }
}

function webhookAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isHere = address?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(address.hostname)
  if (address && (address.protocol === 'https:' || isHere)) return address
  throw usageFailure(`Cannot send to "${text}": an anchor is sent by https, or by http to this machine`)
}

async function sendAnchor(address: URL, tip: SignedTip): Promise<void> {
  const failed = (why: string) =>
    new Failure(`"${address.origin}" did not take the anchor: ${why}`, { code: 'NotSent', exit: exitCodes.unreachable })
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(tip),
    redirect: 'error',
    signal: AbortSignal.timeout(webhookMs),
  }).catch((error: Error) => {
    throw failed(String((error.cause as Error | undefined)?.message ?? error.message))
  })
  await response.body?.cancel()
  if (!response.ok) throw failed(`it answered ${response.status}`)
}
