import { type ChainBreak, findBreak } from './chain.ts'
import { verifies } from './signed-tip.ts'
import { checkpointText, missing, type Signing } from './signing.ts'
import type { StoredChain } from './stored-chain.ts'

/** Result of verifying the whole chain. */
export interface LedgerVerification {
  readonly lines: number
  /** Missing when every line follows from the one before, up to the tip that was signed, with the key that signed before. */
  readonly broken: ChainBreak | undefined
  /** The last line that a signature covers. */
  readonly signedUpTo: number
  /** Lines up to this one were written before the key was made; 0 where there are none. */
  readonly unsignedUpTo: number
  readonly publicKey: string
}

export interface LedgerToVerify {
  readonly chain: StoredChain
  readonly signing: Signing
  /** The highest line that was committed in this process. */
  readonly highest: number
  /** Only lines after this one, and nothing that was found wrong up to it. */
  readonly after?: number | undefined
}

/** Reads every line and checkpoint that is left, and verifies them against the signatures. */
export function verifyLedger(parts: LedgerToVerify): LedgerVerification {
  const { chain, signing } = parts
  const { number: signedUpTo, unsignedUpTo } = signing.tip
  const broken =
    forgedCheckpoint(chain, signing.publicKey) ??
    findBreak(chain.lines(startOf(parts).number), startOf(parts)) ??
    missingEnd(parts) ??
    otherThanSigned(parts) ??
    foundEarlier(parts) ??
    problemOfFiles(parts)
  return { lines: chain.count(), broken, signedUpTo, unsignedUpTo, publicKey: signing.publicKey }
}

function startOf({ chain, after = 0 }: LedgerToVerify) {
  const cut = chain.cut()
  const number = Math.min(after, chain.end().number)
  const hash = chain.hashOf(number)
  return number <= cut.number || hash === undefined ? cut : { number, hash }
}

// a chain with its end cut off is still valid, so its end is compared with the signed and the highest line
function missingEnd({ chain, signing, highest }: LedgerToVerify): ChainBreak | undefined {
  const { number } = chain.end()
  const last = Math.max(highest, signing.tip.number)
  return number < last ? { number: number + 1, why: missing(number + 1, last) } : undefined
}

// hashes can be computed again for lines that were altered, the signature cannot
function otherThanSigned({ chain, signing, after = 0 }: LedgerToVerify): ChainBreak | undefined {
  const { number, hash } = signing.tip
  if (number < chain.state().first || number <= after || chain.hashOf(number) === hash) return undefined
  return { number, why: `line ${number} or one before it is not the one that was signed` }
}

function foundEarlier({ signing, after = -1 }: LedgerToVerify): ChainBreak | undefined {
  const found = signing.breaks.find(({ number }) => number > after)
  if (!found) return undefined
  const when = `found when the host started, ${new Date(found.at).toISOString()}`
  const rest = `to verify only the lines after that: trunkline audit verify --after ${found.number}`
  return { number: found.number, why: `${found.why} (${when}; ${rest})` }
}

function problemOfFiles({ chain, signing }: LedgerToVerify): ChainBreak | undefined {
  const [why] = signing.problems()
  return why === undefined ? undefined : { number: chain.end().number, why }
}

function forgedCheckpoint({ checkpoints }: StoredChain, publicKey: string): ChainBreak | undefined {
  const forged = checkpoints.all().find(({ number, hash, at, signature }) => {
    return !verifies(checkpointText(number, hash, at), { publicKey, signature })
  })
  return forged && { number: forged.number, why: `the checkpoint at line ${forged.number} is forged` }
}
