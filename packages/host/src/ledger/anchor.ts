import { isSigned, keyFingerprint, type SignedTip, tipFrom } from './signed-tip.ts'

/** Source that anchors are compared with: a ledger, or an export of one. */
export interface Anchored {
  /** The key that signs the ledger. */
  readonly publicKey: string
  /** The first line that is kept. */
  readonly first: number
  /** The last line. */
  readonly last: number
  hashOf(number: number): string | undefined | Promise<string | undefined>
}

/** Result of comparing with anchors. */
export interface AnchorCheck {
  /** Anchors whose line is there, unchanged. */
  readonly matching: number
  /** Anchors whose line was removed for its age, so that it cannot be compared. */
  readonly pruned: number
  /** The first anchor that does not match, in a sentence. */
  readonly broken: string | undefined
}

/** The anchors in a text, one in each line. Throws for any other line. */
export function readAnchors(text: string): readonly SignedTip[] {
  return text
    .split('\n')
    .map((line, index) => [line.trim(), index + 1] as const)
    .filter(([line]) => line !== '')
    .map(([line, number]) => {
      const anchor = anchorFrom(line)
      if (!anchor) throw new Error(`Cannot read line ${number}: it is no anchor`)
      return anchor
    })
}

function anchorFrom(line: string): SignedTip | undefined {
  try {
    return tipFrom(JSON.parse(line))
  } catch {
    return undefined
  }
}

/** Holds a ledger against anchors that were put elsewhere: it is not cut before them, and nothing up to them was altered. */
export async function checkAnchors(anchors: readonly SignedTip[], ledger: Anchored): Promise<AnchorCheck> {
  let matching = 0
  let pruned = 0
  for (const anchor of anchors) {
    const { number } = anchor
    const broken = brokenAnchor(anchor, ledger)
    if (broken !== undefined) return { matching, pruned, broken }
    if (number < ledger.first) pruned += 1
    else if ((await ledger.hashOf(number)) === anchor.hash) matching += 1
    else return { matching, pruned, broken: `line ${number} or one before it is not the one that was anchored` }
  }
  const broken = matching === 0 ? 'no anchor is about a line that is kept' : undefined
  return { matching, pruned, broken }
}

function brokenAnchor(anchor: SignedTip, { publicKey, last }: Anchored): string | undefined {
  const { number } = anchor
  if (!isSigned(anchor)) return `the anchor of line ${number} was altered`
  if (anchor.publicKey !== publicKey)
    return `the anchor of line ${number} was signed by the key ${keyFingerprint(anchor.publicKey)}, and the ledger is by ${keyFingerprint(publicKey)}`
  if (number > last) return `line ${number} was anchored, and the ledger ends with line ${last}`
  return undefined
}
