import type { RouteAnswer, RouteInput } from '@trunkline/host/api'
import { defineCommand, type Invocation } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { decidedHere, refuseWithoutPerson } from '../host/decided-here.ts'
import { pinTerminal, readPin } from '../host/enter-pin.ts'
import { type HostLink, openHost } from '../host/host-link.ts'
import { runningOrStarted } from '../host/start-detached.ts'
import { type Line, styled } from '../output/span.ts'

type Scopes = NonNullable<RouteInput<'setPin'>['scopes']>
const known: Scopes = ['destroys', 'policy', 'everything']

const options = {
  for: { type: 'string', value: 'SCOPES', summary: 'With set: what needs the proof, with commas between' },
  forgotten: { type: 'boolean', summary: 'With reset: without the proof, a day later' },
} as const

/** `trunkline proof`: what only the person can give, and which decisions need it. */
export const proofCommand = defineCommand({
  name: 'proof',
  group: 'host',
  needs: {
    '': 'nothing',
    set: 'person',
    change: 'person',
    for: 'person',
    remove: 'person',
    reset: 'person',
    keep: 'person',
    '?': 'terminal',
  },
  summary: 'Sets a PIN that decisions need, so that no program decides for you',
  usage: ['[status]', 'set', 'change', 'for SCOPE...', 'remove pin|PASSKEY', 'reset', 'keep'],
  strayWord: 'Cannot take a PIN from the command line: other programs and the history of the shell see it',
  details: [
    'A PIN is typed twice in a terminal and never shown; it is not taken from the command line, the environment or a pipe. The host keeps a slow, salted hash of it. The right PIN opens only the process and the terminal in which it was typed, for 15 minutes. After 5 wrong ones the next has to wait, also when the host is restarted. Passkeys are added in the console, on the screen "Policy".',
    'SCOPE is what needs the proof: "destroys" for calls that destroy, "policy" for rules, acceptances, trust, classes and clients, "everything" for all that only you may decide. At first it is destroys and policy. Refusing never needs it. "policy.proof" in the configuration can add to the choice and takes nothing from it.',
    'set, change, for, remove and reset need the proof that is enrolled. Where you forgot it, or it is damaged, "reset --forgotten" removes it after 24 hours: it ends everything that was allowed for a while, stands in the ledger, "trunkline proof" shows it, and "keep" takes it back.',
  ],
  options,
  json: '`{ state, hasPin, passkeys, scopes, … }`',
  examples: [
    {
      line: 'trunkline proof set',
      shows: 'a prompt for a PIN; what destroys and what changes the policy then needs it',
    },
    { line: 'trunkline proof for everything', shows: 'every decision needs the proof' },
    { line: 'trunkline proof', shows: 'what is enrolled, and for what' },
  ],
  async run(invocation) {
    const [verb = 'status', ...words] = invocation.words
    const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (!act) throw usageFailure(`Cannot "${verb}" the proof`, howTo)
    if (verb !== 'status') await refuseWithoutPerson(invocation.terminal)
    await runningOrStarted()
    const host = await openHost()
    const said = await act(host, { ...invocation, words })
    const now = await host.call('proof')
    invocation.output.result(now, () => [...(said === undefined ? [] : [said]), ...statusLines(now)])
    return undefined
  },
})

const howTo = 'Write: trunkline proof, then set, change, for, remove, reset or keep'

type Verb = (host: HostLink, invocation: Invocation<typeof options>) => Promise<Line | undefined>

const verbs: { readonly [verb: string]: Verb } = {
  status: async () => undefined,
  set: (host, { options }) => typedPin(host, options.for === undefined ? {} : { scopes: scopesIn(options.for) }),
  change: async (host) => {
    if (!(await host.call('proof')).hasPin)
      throw usageFailure('Cannot change the PIN: none is set', 'trunkline proof set')
    return typedPin(host, {})
  },
  for: async (host, { words }) => {
    await host.call('chooseProof', { scopes: scopesIn(words.join(',')) })
    return undefined
  },
  remove: async (host, { words: [which] }) => {
    if (which === undefined) throw usageFailure('Cannot remove: write "pin" or the name of a passkey', howTo)
    if (which === 'pin') await host.call('removePin')
    else await host.call('removePasskey', { passkey: which })
    return undefined
  },
  reset: async (host, { options, terminal, signal }) => {
    const isForgotten = options.forgotten === true
    const when = isForgotten ? 'in 24 hours, and end all that is allowed for a while now' : 'now'
    if (!(await decidedHere(terminal, `Remove everything that proves that you decide, ${when}?`, signal)))
      return undefined
    await host.call('resetProof', { isForgotten })
    return undefined
  },
  keep: async (host) => {
    await host.call('keepProof')
    return 'The reset was taken back'
  },
}

/** The present proof is asked for before a new PIN is typed. */
async function typedPin(host: HostLink, more: { readonly scopes?: Scopes }): Promise<Line | undefined> {
  const terminal = pinTerminal()
  if ((await host.call('proof')).hasPin) await host.enterPin()
  const pin = await readPin(terminal, 'New PIN, at least 6 characters (nothing is shown):')
  if ((await readPin(terminal, 'The same again:')) !== pin) throw usageFailure('The two are not the same', 'Try again')
  await host.call('setPin', { pin, ...more })
  return 'The PIN is set'
}

function scopesIn(text: string): Scopes {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const wrong = words.find((word) => !known.some((one) => one === word))
  if (words.length > 0 && wrong === undefined) return words as Scopes
  throw usageFailure(`Cannot choose "${wrong ?? text}"`, `Write one or more of ${known.join(', ')}`)
}

function statusLines(now: RouteAnswer<'proof'>): readonly Line[] {
  const { state, why, hasPin, passkeys, scopes, waitUntil, resetAt } = now
  const enrolled = [...(hasPin ? ['a PIN'] : []), ...passkeys.map(({ name }) => `passkey "${name}"`)]
  return [
    ...(state === 'damaged' ? [[styled('bad', `Damaged: ${why}; nothing that needs it is decided`)]] : []),
    state === 'none' ? 'No proof is enrolled' : `Enrolled: ${enrolled.join(', ') || 'nothing that can be used'}`,
    scopes.length === 0 ? 'No decision needs one' : `Needed for: ${scopes.join(', ')}`,
    ...(waitUntil === undefined ? [] : [`The next PIN can be tried ${timeOf(waitUntil)}`]),
    ...(resetAt === undefined
      ? []
      : [[styled('warning', `A reset takes effect ${timeOf(resetAt)}; "trunkline proof keep" takes it back`)]]),
  ]
}

function timeOf(at: number): string {
  return new Date(at).toLocaleString()
}
