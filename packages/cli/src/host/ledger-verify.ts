import { readFile } from 'node:fs/promises'
import type { AnchorCheck } from '@trunkline/host'
import { usageFailure } from '../failure/failure.ts'
import { counted } from '../output/counted.ts'
import { openHost } from './host-link.ts'

/** Result of verifying a ledger or an export. */
export interface VerifiedLedger {
  readonly lines: number
  readonly broken: string | undefined
  /** The last line that a signature covers; undefined for an export without one. */
  readonly signedUpTo: number | undefined
  readonly unsignedUpTo: number | undefined
  /** The fingerprint of the key. */
  readonly key: string | undefined
  readonly publicKey: string | undefined
  /** The first and the last line. */
  readonly first: number
  readonly last: number
  hashOf(number: number): string | undefined | Promise<string | undefined>
}

/** Verifies the ledger of the host. */
export async function verifyHost(after: number | undefined): Promise<VerifiedLedger> {
  const { call } = await openHost()
  const { lines, broken, signedUpTo, unsignedUpTo, publicKey } = await call(
    'verify',
    after === undefined ? {} : { after },
  )
  const { number: last, first } = await call('ledgerTip')
  const { keyFingerprint } = await import('@trunkline/host')
  const hashOf = async (number: number) => {
    const [line] = (await call('exportLedger', { after: number - 1 })).lines
    return line === undefined ? undefined : (JSON.parse(line) as { readonly hash: string }).hash
  }
  return { lines, broken, signedUpTo, unsignedUpTo, publicKey, key: keyFingerprint(publicKey), first, last, hashOf }
}

/** Verifies an export by itself. */
export async function verifyFile(file: string): Promise<VerifiedLedger> {
  const { keyFingerprint, verifyExport } = await import('@trunkline/host')
  const texts = (await readText(file)).split('\n')
  try {
    const { lines, broken, tip, hashOf, first, last } = verifyExport(texts)
    const { number: signedUpTo, unsignedUpTo, publicKey } = tip ?? {}
    const key = publicKey === undefined ? undefined : keyFingerprint(publicKey)
    return { lines, broken: broken?.why, signedUpTo, unsignedUpTo, publicKey, key, first, last, hashOf }
  } catch {
    throw usageFailure(`Cannot read "${file}": it is no export of a ledger`)
  }
}

/** Holds a ledger against the anchors in a file; those of lines up to `after` are left out. */
export async function compareAnchors(ledger: VerifiedLedger, file: string, after = 0): Promise<AnchorCheck> {
  const { checkAnchors, readAnchors } = await import('@trunkline/host')
  const text = await readText(file)
  const { publicKey } = ledger
  if (publicKey === undefined) return { matching: 0, pruned: 0, broken: 'the export has no signature to compare' }
  let anchors: ReturnType<typeof readAnchors>
  try {
    anchors = readAnchors(text)
  } catch (error) {
    throw usageFailure(`Cannot use "${file}": ${(error as Error).message}`)
  }
  return checkAnchors(
    anchors.filter(({ number }) => number > after),
    { ...ledger, publicKey },
  )
}

/** The sentence for a ledger that is whole. */
export function verifiedSentence({ lines, signedUpTo }: VerifiedLedger): string {
  const whole = `${counted(lines, 'line')}, and every one follows from the one before`
  return signedUpTo === undefined ? `${whole}; there is no signature` : `${whole}; signed up to line ${signedUpTo}`
}

/** The key, and what the signature does not cover. */
export function moreLines(ledger: VerifiedLedger, anchors: AnchorCheck | undefined): readonly string[] {
  const { unsignedUpTo = 0, signedUpTo, last, key } = ledger
  const unsigned = unsignedUpTo >= ledger.first
  const later = signedUpTo === undefined ? 0 : last - signedUpTo
  return [
    ...(unsigned
      ? [`Unsigned up to line ${unsignedUpTo}: written before this key, and covered since it was made`]
      : []),
    ...(later > 0 ? [`${counted(later, 'line')} after that will be signed within a second`] : []),
    ...(key === undefined ? [] : [`Key ${key}`]),
    ...(anchors ? [`${counted(anchors.matching, 'anchor')} matched${prunedWords(anchors.pruned)}`] : []),
  ]
}

/** The number of a line that was typed. */
export function lineNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw usageFailure(`"${text}" is no number of a line`)
  return Number(text)
}

function prunedWords(pruned: number): string {
  return pruned === 0 ? '' : `; ${pruned} of lines that were removed for their age could not be compared`
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw usageFailure(`Cannot read "${file}": ${error.message}`)
  })
}
