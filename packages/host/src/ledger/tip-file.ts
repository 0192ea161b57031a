import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { writeFileWhole } from '../store/write-file.ts'
import { type SignedTip, tipFrom } from './signed-tip.ts'

/** Something that was wrong with the ledger or its key when a host started. */
export interface FoundBreak {
  /** The last line at that time; lines after it are not concerned. */
  readonly number: number
  readonly at: number
  /** A sentence for a person. */
  readonly why: string
}

/** The file beside the key. */
export interface TipRecord {
  readonly tip: SignedTip
  /** True if the host closed after it; otherwise it was killed, or runs. */
  readonly isClosed: boolean
  readonly breaks: readonly FoundBreak[]
}

/** Reads the file; undefined where it is missing or is not ours. */
export function readTip(path: string): TipRecord | undefined {
  try {
    const { isClosed, breaks, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
    const tip = tipFrom(rest)
    return tip && { tip, isClosed: isClosed === true, breaks: Array.isArray(breaks) ? breaks : [] }
  } catch {
    return undefined
  }
}

/** Writes the file so that a kill leaves the old or the new one. */
export async function writeTip(path: string, record: TipRecord): Promise<void> {
  await writeFileWhole(path, textOf(record))
}

/** Synchronous `writeTip`. */
export function writeTipAtOnce(path: string, record: TipRecord): void {
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, textOf(record))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

function textOf({ tip, ...rest }: TipRecord): string {
  return `${JSON.stringify({ ...tip, ...rest }, undefined, 2)}\n`
}
