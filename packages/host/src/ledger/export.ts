import { type ChainBreak, findBreak, type WrittenLine } from './chain.ts'
import { isSigned, type SignedTip, tipFrom } from './signed-tip.ts'

/** Result of checking an export. */
export interface ExportVerification {
  readonly lines: number
  /** The numbers of the first and the last line. */
  readonly first: number
  readonly last: number
  readonly broken: ChainBreak | undefined
  /** The signature that the export ends with, where it has a valid one. */
  readonly tip: SignedTip | undefined
  /** The hash of a line. */
  hashOf(number: number): string | undefined
}

/** Checks an export by itself, without the store that it came from. Throws for a text that is no export. */
export function verifyExport(texts: readonly string[]): ExportVerification {
  const values = texts.filter((text) => text.trim() !== '').map((text) => JSON.parse(text) as unknown)
  const given = tipFrom((values.at(-1) as { readonly tip?: unknown } | undefined)?.tip)
  const lines = (given ? values.slice(0, -1) : values).map(lineFrom)
  const broken = brokenChain(lines) ?? (given && brokenTip(lines, given))
  const hashes = new Map(lines.map(({ number, hash }) => [number, hash]))
  return {
    lines: lines.length,
    first: lines.at(0)?.number ?? 1,
    last: lines.at(-1)?.number ?? 0,
    broken,
    tip: given && isSigned(given) ? given : undefined,
    hashOf: (number) => hashes.get(number),
  }
}

function lineFrom(value: unknown): WrittenLine {
  const line = value as WrittenLine
  if (!Number.isSafeInteger(line?.number) || typeof line.text !== 'string') throw new Error('Cannot read a line')
  return line
}

function brokenChain(lines: readonly WrittenLine[]): ChainBreak | undefined {
  const [first] = lines
  return first && findBreak(lines, { number: first.number - 1, hash: first.previous })
}

function brokenTip(lines: readonly WrittenLine[], tip: SignedTip): ChainBreak | undefined {
  const { number } = tip
  if (!isSigned(tip)) return { number, why: 'the signature is not by the key that the export names' }
  const [first, last] = [lines.at(0), lines.at(-1)]
  if (number < tip.first && !first) return undefined
  if (first?.number !== tip.first)
    return {
      number: tip.first,
      why: `the export was signed from line ${tip.first} on and begins with ${first?.number}`,
    }
  if (last?.number !== number)
    return { number, why: `the export was signed up to line ${number} and ends with ${last?.number}` }
  if (last.hash !== tip.hash) return { number, why: `line ${number} or one before it is not the one that was signed` }
  return undefined
}
