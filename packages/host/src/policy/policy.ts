import type { Act, ActKind, ToolClass } from '../act/act.ts'
import type { Effect, Rule } from './rule.ts'
import { concerns, type FolderOf, isRuleOver, ruleSubject, unmetCondition } from './rule-subject.ts'
import type { Taint } from './taint.ts'

/** Verdict of the policy on an act, and the reason. */
export interface Verdict {
  readonly effect: Effect
  readonly rule: Rule | 'default'
  /** A sentence for a person. */
  readonly why: string
  /** `local`: only a person at this machine may answer the question. */
  readonly by: 'local' | undefined
  /** Data its principal has read that could leave with it; then no earlier answer counts. */
  readonly taint?: Taint
}

/** Effects on calls that no rule matches, by class. */
export type ClassDefaults = { readonly [Class in ToolClass]: Effect }

export interface PolicyOptions {
  /** `observe` asks nothing, enforces rules that deny, and records. @default 'enforce' */
  readonly mode?: 'enforce' | 'observe'
  readonly rules: readonly Rule[]
  /** The rules for results that a person sees before the caller does. @default none */
  readonly reviews?: readonly Rule[]
  /** Reason why a rule that denies may be missing; while there is one, nothing is allowed unasked. */
  readonly doubt?: string | undefined
  /** Base folder of an act's relative paths, whose links are followed. @default every server runs elsewhere */
  readonly folderOf?: FolderOf
  /** @default reads are allowed, everything else asks */
  readonly classDefaults?: ClassDefaults
}

const defaults = {
  mode: 'enforce',
  classDefaults: { reads: 'allow', writes: 'ask', destroys: 'ask', unknown: 'ask' },
  folderOf: () => undefined,
} as const satisfies Partial<PolicyOptions>

/** Combinations of server, tool and principal whose rules are cached. */
const maxCandidateLists = 10_000
const strictness: readonly Effect[] = ['deny', 'ask', 'allow']

/** All rules in force. The strictest rule that matches decides; among equals, the first. */
export class Policy {
  readonly mode: 'enforce' | 'observe'
  readonly rules: readonly Rule[]
  readonly folderOf: FolderOf
  readonly #classDefaults: ClassDefaults
  readonly #doubt: string | undefined
  readonly #reviews: readonly Rule[]
  readonly #hasEnds: boolean
  // the rules that can concern an act depend on everything but its arguments, so they are looked up only once
  readonly #candidates = new Map<string, readonly Rule[]>()

  constructor(options: PolicyOptions) {
    const { mode = defaults.mode, rules, reviews = [], classDefaults = defaults.classDefaults } = options
    this.#doubt = options.doubt
    this.#reviews = reviews
    this.mode = mode
    this.folderOf = options.folderOf ?? defaults.folderOf
    this.rules = strictness.flatMap((effect) => rules.filter((rule) => rule.effect === effect))
    this.#hasEnds = rules.some(({ until }) => until !== undefined)
    this.#classDefaults = classDefaults
  }

  /** Judges an act. */
  judge(act: Act): Verdict {
    const rule = this.candidates(act).find((one) => unmetCondition(one, act, this.folderOf) === undefined)
    const verdict = answerable(act, this.#doubted(act, rule ? byRule(rule) : this.#byDefault(act)))
    if (this.mode === 'enforce' || verdict.effect !== 'ask') return verdict
    return { ...verdict, effect: 'allow', why: `${verdict.why}; the mode is "observe", so nobody is asked` }
  }

  /** The rule that wants a person to see the result of an act first, if one does. */
  reviewing(act: Act): Rule | undefined {
    if (this.#reviews.length === 0) return undefined
    const subject = ruleSubject(act)
    const isMet = (rule: Rule) => unmetCondition(rule, act, this.folderOf) === undefined
    return this.#reviews.find((rule) => concerns(rule, subject) && isMet(rule))
  }

  /** The rules that concern an act apart from its arguments, strictest first; those that have ended are none. */
  candidates(act: Act): readonly Rule[] {
    const rules = this.#candidatesOf(act)
    return this.#hasEnds ? rules.filter((rule) => !isRuleOver(rule)) : rules
  }

  #candidatesOf(act: Act): readonly Rule[] {
    const subject = ruleSubject(act)
    const key = JSON.stringify(subject)
    const known = this.#candidates.get(key)
    if (known) return known
    if (this.#candidates.size >= maxCandidateLists) this.#candidates.clear()
    const rules = this.rules.filter((rule) => concerns(rule, subject))
    this.#candidates.set(key, rules)
    return rules
  }

  #doubted(act: Act, verdict: Verdict): Verdict {
    if (this.#doubt === undefined || verdict.effect !== 'allow' || act.kind !== 'call') return verdict
    return { ...verdict, effect: 'ask', why: `${verdict.why}, but ${this.#doubt}, and what it denies may be missing` }
  }

  #byDefault(act: Act): Verdict {
    // a sampling answered by the caller itself costs the person nothing at this host
    if (act.answeredBy === 'caller') return { ...byCallerDefault }
    const effect = act.kind === 'call' ? this.#classDefaults[act.class] : kindDefaults[act.kind]
    const what = act.kind === 'call' ? `tools classed "${act.class}"` : `acts of the kind "${act.kind}"`
    return { effect, rule: 'default', why: `by default, ${what} ${said[effect]}`, by: undefined }
  }
}

const byCallerDefault: Verdict = {
  effect: 'allow',
  rule: 'default',
  why: 'by default, what the caller answers itself is allowed',
  by: undefined,
}

/** Effects on acts that are no calls: those that start programs or spend the person's money ask. */
const kindDefaults: { readonly [Kind in Exclude<ActKind, 'call'>]: Effect } = {
  read: 'allow',
  // a model follows the text of a skill
  skill: 'ask',
  prompt: 'allow',
  complete: 'allow',
  list: 'allow',
  watch: 'allow',
  signal: 'allow',
  elicit: 'allow',
  sample: 'ask',
  start: 'ask',
  accept: 'ask',
}

/** True if a word is a kind of act. */
export function isActKind(word: string): word is ActKind {
  return word === 'call' || Object.hasOwn(kindDefaults, word)
}

/** Kinds that never ask, since callers send them all the time. */
const neverAsked: ReadonlySet<ActKind> = new Set(['complete', 'list', 'watch'])

function answerable(act: Act, verdict: Verdict): Verdict {
  if (act.kind === 'signal' && verdict.effect === 'ask')
    return { ...verdict, effect: 'allow', why: `${verdict.why}; a signal belongs to a call that was asked about` }
  if (verdict.effect !== 'ask' || !neverAsked.has(act.kind)) return verdict
  return {
    ...verdict,
    effect: 'deny',
    why: `${verdict.why}; acts of the kind "${act.kind}" are only allowed or denied`,
  }
}

const said: { readonly [One in Effect]: string } = { allow: 'are allowed', ask: 'ask first', deny: 'are denied' }

function byRule(rule: Rule): Verdict {
  const { file, line } = rule.source
  const why = rule.why ?? `the rule ${rule.effect} "${rule.text}" at ${file}:${line}`
  return { effect: rule.effect, rule, why, by: rule.by }
}
