import type { Fields } from '@trunkline/mcp'
import type { Store } from '../../store/store.ts'
import { type ChallengeLimits, Challenges } from './challenges.ts'
import { type Enrolled, Enrolment, type EnrolmentState } from './enrolment.ts'
import {
  type Assertion,
  challengeIn,
  checkAssertion,
  checkRegistration,
  type Passkey,
  type Registration,
} from './passkey.ts'
import { hashPin, isRightPin } from './pin-hash.ts'
import { type PinLimits, PinTries } from './pin-tries.ts'
import { ProofError } from './proof-error.ts'
import { needsProof, type PersonDecision, type ProofScope } from './proof-need.ts'
import { ProofReset } from './proof-reset.ts'
import { type TerminalProcess, type TicketLimits, Tickets } from './tickets.ts'

/** Limits of proofs of the person. */
export interface ProofLimits extends PinLimits, TicketLimits, ChallengeLimits {
  /** Passkeys that are enrolled at the same time. @default 10 */
  readonly maxPasskeys?: number
  /** Delay of a reset without the proof, in milliseconds. @default 24 hours */
  readonly resetMs?: number
}

const defaults = { maxPasskeys: 10, resetMs: 24 * 3_600_000 } as const satisfies ProofLimits

/** The parts that the proof needs. */
export interface ProofOptions {
  /** The file that shows that something is enrolled. */
  readonly file: string
  /** Records a change of the proof. */
  record(outcome: string, why: string): Promise<void>
  /** Ends temporary grants, because the proof was reset. */
  endGrants(): Promise<void>
  readonly limits?: ProofLimits | undefined
  /** Decisions that need a proof in a project, besides those the person chose. @default none */
  readonly configured?: ((project: string | undefined) => readonly ProofScope[]) | undefined
}

/** Proves that a person decides: a PIN that was typed in a terminal, or a passkey of the console. */
export class PersonProof {
  readonly #options: ProofOptions
  readonly #limits: Required<Pick<ProofLimits, keyof typeof defaults>>
  readonly #enrolment: Enrolment
  readonly #tries: PinTries
  readonly #tickets: Tickets
  readonly #challenges: Challenges
  readonly reset: ProofReset
  /** The origin at which browsers take passkeys for the console; undefined where another program has its name. */
  pageOrigin: string | undefined
  /** PINs are compared one after the other, so that as many are counted as are tried. */
  #comparing: Promise<unknown> = Promise.resolve()

  constructor(store: Store, options: ProofOptions) {
    this.#options = options
    this.#limits = { ...defaults, ...options.limits }
    this.#enrolment = new Enrolment(store, options.file)
    this.#tries = new PinTries(store, options.limits)
    this.#tickets = new Tickets(options.limits)
    this.#challenges = new Challenges(options.limits)
    this.reset = new ProofReset(store)
  }

  /** The enrolment; a reset that is due counts as done. */
  get current(): EnrolmentState {
    const { dueAt } = this.reset
    return dueAt !== undefined && dueAt <= Date.now() ? { state: 'none' } : this.#enrolment.current
  }

  /** Time of the next possible PIN, if too many were wrong. */
  get waitUntil(): number | undefined {
    return this.#tries.waitUntil
  }

  /** Decisions that the person chose it for. */
  get scopes(): readonly ProofScope[] {
    const now = this.current
    if (now.state === 'none') return []
    return now.state === 'damaged' ? now.scopes : now.enrolled.scopes
  }

  /** Decisions that need it in a project: those the person chose, and those of the configuration. */
  scopesIn(project: string | undefined): readonly ProofScope[] {
    return [...new Set([...this.scopes, ...(this.#options.configured?.(project) ?? [])])]
  }

  /** True if a decision in a project needs it. */
  isNeededFor(decision: PersonDecision, project: string | undefined): boolean {
    return needsProof(decision, this.scopesIn(project))
  }

  /** Compares a PIN; the right one gives the process a ticket. Returns until when that is good. */
  enterPin(pin: string, to: TerminalProcess): Promise<number> {
    const compared = this.#comparing.then(() => this.#compare(pin, to))
    this.#comparing = compared.catch(() => {})
    return compared
  }

  async #compare(pin: string, to: TerminalProcess): Promise<number> {
    const { pin: kept } = this.#enrolled()
    if (!kept) throw new ProofError('Missing', 'No PIN is set: "trunkline proof" says what is enrolled')
    const { waitUntil } = this.#tries
    if (waitUntil !== undefined) throw tooMany(waitUntil)
    const { triesLeft, waitUntil: next } = await this.#tries.begin()
    if (await isRightPin(pin, kept)) {
      await this.#tries.clear()
      return this.#tickets.give(to)
    }
    if (next === undefined) throw new ProofError('Wrong', `The PIN is wrong; ${triesLeft} more can be tried`)
    await this.#options.record('proof refused', `too many wrong PINs, the next one ${timeOf(next)} at the earliest`)
    throw tooMany(next)
  }

  /** True if a PIN was typed lately in front of exactly this process in this terminal. */
  hasTicket(one: TerminalProcess): boolean {
    return this.current.state === 'enrolled' && this.#tickets.has(one)
  }

  /** The challenge that a passkey has to sign for a decision, and the passkeys that may. */
  challenge(decision: Fields): { readonly challenge: string; readonly passkeys: readonly string[] } {
    const { passkeys } = this.#enrolled()
    return { challenge: this.#challenges.make(decision), passkeys: passkeys.map(({ id }) => id) }
  }

  /** Checks that a passkey signed exactly this decision, once, at the page of this origin; throws where it did not. */
  async checkSigned(assertion: Assertion, decision: Fields, origin: string): Promise<void> {
    this.#spend(assertion.clientData, decision)
    const passkey = this.#enrolled().passkeys.find(({ id }) => id === assertion.id)
    if (!passkey) throw new ProofError('Wrong', 'This passkey is not enrolled here')
    const counter = checkAssertion(assertion, passkey, origin)
    if (await this.#enrolment.count(passkey.id, counter)) return
    await this.#options.record('proof refused', `passkey "${passkey.name}" counts backwards: it may have been copied`)
    throw new ProofError('Wrong', `The passkey "${passkey.name}" was used elsewhere: it may have been copied`)
  }

  /** Sets or changes the PIN. */
  async setPin(pin: string, scopes?: readonly ProofScope[]): Promise<void> {
    const before = this.#orNew()
    const { pin: hadPin } = before
    await this.#replace({ ...before, pin: await hashPin(pin), scopes: scopes ?? before.scopes })
    await this.#tries.clear()
    await this.#options.record(hadPin ? 'proof changed' : 'proof set', hadPin ? 'another PIN' : 'a PIN')
  }

  /** The challenge for a new passkey. */
  registration(): { readonly challenge: string; readonly passkeys: readonly string[] } {
    const { passkeys } = this.#orNew()
    return { challenge: this.#challenges.make(newPasskey), passkeys: passkeys.map(({ id }) => id) }
  }

  /** Enrols a passkey that was made at a page of this origin. */
  async addPasskey(
    { name, ...given }: Registration & { readonly name: string },
    scopes: readonly ProofScope[] | undefined,
    origin: string,
  ): Promise<Passkey> {
    this.#spend(given.clientData, newPasskey)
    const before = this.#orNew()
    const { maxPasskeys } = this.#limits
    if (before.passkeys.length >= maxPasskeys) {
      throw new ProofError('Full', `Cannot add a passkey: ${maxPasskeys} are enrolled; remove one`)
    }
    const passkey = { ...checkRegistration(given, origin), name, addedAt: Date.now() }
    const others = before.passkeys.filter(({ id }) => id !== passkey.id)
    await this.#replace({ ...before, passkeys: [...others, passkey], scopes: scopes ?? before.scopes })
    await this.#options.record('proof set', `passkey "${name}"`)
    return passkey
  }

  /** Chooses the decisions that need the proof. */
  async choose(scopes: readonly ProofScope[]): Promise<void> {
    await this.#replace({ ...this.#enrolled(), scopes })
    await this.#options.record('proof changed', `for ${scopes.join(', ')}`)
  }

  async removePin(): Promise<void> {
    const { pin, ...rest } = this.#enrolled()
    if (!pin) throw new ProofError('Missing', 'Cannot remove the PIN: none is set')
    await this.#replace(rest.passkeys.length > 0 ? rest : undefined)
    this.#tickets.endAll()
    await this.#options.record('proof removed', 'the PIN')
  }

  async removePasskey(which: string): Promise<void> {
    const before = this.#enrolled()
    const passkey = before.passkeys.find(({ id, name }) => id === which || name === which)
    if (!passkey) throw new ProofError('Missing', `Cannot remove the passkey "${which}": no such one is enrolled`)
    const passkeys = before.passkeys.filter((one) => one !== passkey)
    await this.#replace(passkeys.length > 0 || before.pin ? { ...before, passkeys } : undefined)
    await this.#options.record('proof removed', `passkey "${passkey.name}"`)
  }

  /** Removes the whole enrolment: at once if it was proven, after a day if it was forgotten or lost. */
  async removeAll(isProven: boolean): Promise<number> {
    if (this.current.state === 'none') throw new ProofError('Missing', 'Cannot reset the proof: nothing is enrolled')
    this.#tickets.endAll()
    await this.#options.endGrants()
    if (isProven) {
      await this.#replace(undefined)
      await this.#options.record('proof removed', 'all of it, by who could give it')
      return Date.now()
    }
    const dueAt = await this.reset.ask(this.#limits.resetMs)
    await this.#options.record('proof reset asked', `without the proof; it takes effect ${timeOf(dueAt)}`)
    return dueAt
  }

  /** Takes back a reset that was asked for. */
  async keep(): Promise<void> {
    const { dueAt } = this.reset
    if (dueAt === undefined || dueAt <= Date.now()) throw new ProofError('Missing', 'No reset of the proof waits')
    await this.reset.forget()
    await this.#options.record('proof kept', 'the reset was taken back')
  }

  async #replace(enrolled: Enrolled | undefined): Promise<void> {
    await this.#enrolment.replace(enrolled)
    await this.reset.forget()
  }

  #spend(clientData: string, decision: Fields): void {
    if (this.#challenges.spend(challengeIn(clientData), decision)) return
    throw new ProofError('Wrong', 'This was not signed for this decision, or it was used or took too long: try again')
  }

  #enrolled(): Enrolled {
    const now = this.current
    if (now.state === 'enrolled') return now.enrolled
    throw now.state === 'damaged' ? damagedProof(now.why) : new ProofError('Missing', 'No proof is enrolled')
  }

  #orNew(): Enrolled {
    return this.current.state === 'none' ? { passkeys: [], scopes: usualScopes } : this.#enrolled()
  }
}

/** Default decisions that need a proof. */
const usualScopes: readonly ProofScope[] = ['destroys', 'policy']
const newPasskey: Fields = { purpose: 'a new passkey' }

/** Error wherever a proof is needed and its record is damaged. */
export function damagedProof(why: string): ProofError {
  return new ProofError(
    'Damaged',
    `Your proof is damaged: ${why}. Nothing that needs it is decided; restore it, or run "trunkline proof reset --forgotten"`,
  )
}

function tooMany(until: number): ProofError {
  return new ProofError('Wait', `Too many wrong PINs: the next one can be tried ${timeOf(until)}`)
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
