import { type ChainBreak, findBreak, type WrittenLine } from './chain.ts'
import type { Ledger } from './ledger.ts'

/** What checking an export showed. */
export interface ExportVerification {
  readonly lines: number
  readonly broken: ChainBreak | undefined
}

/** The ledger as lines of JSON, each as it was written, hashes included. */
export function* exportLedger(ledger: Ledger): Generator<string> {
  for (const line of ledger.lines()) yield JSON.stringify(line)
}

/** Checks an export by itself, without the store that it came from. */
export function verifyExport(texts: readonly string[]): ExportVerification {
  const lines = texts.filter((text) => text.trim() !== '').map((text) => JSON.parse(text) as WrittenLine)
  const [first] = lines
  if (!first) return { lines: 0, broken: undefined }
  const broken = findBreak(lines, { number: first.number - 1, hash: first.previous })
  return { lines: lines.length, broken }
}
