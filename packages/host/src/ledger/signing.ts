import type { CheckpointTable } from '../store/tables/checkpoint-table.ts'
import type { LedgerKeyTable } from '../store/tables/ledger-key-table.ts'
import { isSigned, keyFingerprint, type SignedTip, tipText, verifies } from './signed-tip.ts'
import { makeSigningKey, publicKeyOf, readSigningKey, type SigningKey } from './signing-key.ts'
import { type FoundBreak, readTip, type TipRecord, writeTip, writeTipAtOnce } from './tip-file.ts'

/** The state of the chain that a signature is about. */
export interface ChainState {
  /** The last line. */
  readonly number: number
  readonly hash: string
  /** The first line that is kept. */
  readonly first: number
}

/** The chain as the store has it. */
export interface SignedChain {
  readonly checkpoints: CheckpointTable
  state(): ChainState
  /** The hash of a line that is kept. */
  hashOf(number: number): string | undefined
}

/** Breaks that are remembered; the first ones tell most. */
const maxBreaks = 100

/**
 * Signs the end of the chain with a key that lies outside of the database, and keeps the signed tip beside the key.
 * A missing or different key or tip is found when the host starts and stays known.
 */
export class Signing {
  readonly #keyPath: string
  readonly #tipPath: string
  readonly #key: SigningKey
  #record: TipRecord
  /** True if the host before this one ended without closing. */
  readonly wasKilled: boolean

  constructor(chain: SignedChain, keys: LedgerKeyTable, paths: { readonly key: string; readonly tip: string }) {
    this.#keyPath = paths.key
    this.#tipPath = paths.tip
    const found = readSigningKey(paths.key)
    const known = keys.publicKey()
    const kept = readTip(paths.tip)
    const end = chain.state()
    const whys = [...keyProblems({ found, known, kept }), ...chainProblems(kept, chain)]
    this.#key = found ?? makeSigningKey(paths.key)
    const { publicKey } = this.#key
    const isSame = kept !== undefined && kept.tip.publicKey === publicKey
    const unsignedUpTo = isSame ? Math.min(kept.tip.unsignedUpTo, end.number) : end.number
    const breaks = whys.map((why) => ({ number: end.number, at: Date.now(), why }))
    this.#record = {
      tip: this.#signed(end, unsignedUpTo),
      isClosed: false,
      breaks: [...(kept?.breaks ?? []), ...breaks].slice(0, maxBreaks),
    }
    this.wasKilled = kept !== undefined && !kept.isClosed
    writeTipAtOnce(paths.tip, this.#record)
    adoptKey(keys, chain.checkpoints, this.#key)
  }

  get publicKey(): string {
    return this.#key.publicKey
  }

  /** The last signed tip, which lies beside the key. */
  get tip(): SignedTip {
    return this.#record.tip
  }

  get breaks(): readonly FoundBreak[] {
    return this.#record.breaks
  }

  sign(text: string): string {
    return this.#key.sign(text)
  }

  /** Signs lines that the disk has and notes that beside the key. */
  async advance(state: ChainState, { isClosed = false } = {}): Promise<void> {
    const record = { ...this.#record, tip: this.#signed(state, this.tip.unsignedUpTo), isClosed }
    await writeTip(this.#tipPath, record)
    this.#record = record
  }

  /** Problems of the files now, one sentence each. */
  problems(): readonly string[] {
    const found = readSigningKey(this.#keyPath)
    return keyProblems({ found, known: this.publicKey, kept: readTip(this.#tipPath) })
  }

  #signed({ number, hash, first }: ChainState, unsignedUpTo: number): SignedTip {
    const tip = { number, hash, first, unsignedUpTo, at: Date.now() }
    return { ...tip, publicKey: this.#key.publicKey, signature: this.#key.sign(tipText(tip)) }
  }
}

interface Found {
  readonly found: SigningKey | undefined
  /** The public key that the store knows; undefined for a store that was never signed. */
  readonly known: string | undefined
  readonly kept: TipRecord | undefined
}

function keyProblems({ found, known, kept }: Found): string[] {
  const before = known ?? kept?.tip.publicKey
  const problems: string[] = []
  if (before !== undefined && found === undefined)
    problems.push(`the key ${keyFingerprint(before)} that signed the ledger is gone`)
  else if (before !== undefined && found?.publicKey !== before)
    problems.push(`the key ${keyFingerprint(before)} that signed the ledger was replaced by another one`)
  if (known !== undefined && kept === undefined)
    problems.push('the tip beside the key is gone, so lines may be missing from the end')
  if (kept !== undefined && (!isSigned(kept.tip) || kept.tip.publicKey !== before))
    problems.push('the tip beside the key was altered, so lines may be missing from the end')
  return problems
}

/** Problems of the chain, by the last signed tip. */
function chainProblems(kept: TipRecord | undefined, chain: SignedChain): string[] {
  if (kept === undefined) return []
  const { tip } = kept
  const { number, first } = chain.state()
  if (tip.number > number) return [missing(number + 1, tip.number)]
  if (tip.number < first) return []
  return chain.hashOf(tip.number) === tip.hash
    ? []
    : [`line ${tip.number} or one before it is not the one that was signed`]
}

/** The sentence for lines that were signed and are not there. */
export function missing(from: number, to: number): string {
  return from === to ? `line ${from} was signed and is missing` : `lines ${from} to ${to} were signed and are missing`
}

/** Has the store know the key, and signs with it the checkpoints that the key before it signed. */
function adoptKey(keys: LedgerKeyTable, checkpoints: CheckpointTable, key: SigningKey): void {
  const known = keys.publicKey()
  if (known === key.publicKey) return
  const former = keys.formerPrivateKey()
  const before = known ?? (former === undefined ? undefined : publicKeyOf(former))
  keys.replacePublicKey(key.publicKey, () => {
    if (before !== undefined) signAnew(checkpoints, before, key)
  })
}

function signAnew(checkpoints: CheckpointTable, publicKey: string, key: SigningKey): void {
  for (const { number, hash, at, signature } of checkpoints.all()) {
    const text = checkpointText(number, hash, at)
    if (verifies(text, { publicKey, signature })) checkpoints.setSignature(number, key.sign(text))
  }
}

/** The text that is signed where older lines were removed. */
export function checkpointText(number: number, hash: string, at: number): string {
  return `${number} ${hash} ${at}`
}
