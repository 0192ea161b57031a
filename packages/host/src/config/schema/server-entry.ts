import { knownRevisions } from '@trunkline/mcp/relay'
import { always, becomes, lower, lowerButZero, partOf } from './setting-rule.ts'
import { choice, choices, flag, listOf, mapOf, type Of, table, textValue, whole } from './shape.ts'

const milliseconds = whole(1, 86_400_000)
const nul = { problem: 'holds a NUL character', fix: 'remove it' }
const program = textValue({ matches: /^[^\0]+$/, problem: 'names no program', fix: 'write its name or its path' })
const argument = textValue({ matches: /^[^\0]*$/, ...nul })
// a line end would let one header become two
const header = textValue({ matches: /^[^\0\r\n]*$/, problem: 'holds a line end or a NUL character', fix: 'remove it' })
const address = textValue({
  matches: /^(?:https?:\/\/|.*\$\{)\S*$/,
  problem: 'is no address of a server',
  fix: 'write one that begins with https:// or http://',
})

/** The revisions that can be spoken with servers, newest first. */
export const serverRevisions: readonly string[] = knownRevisions

/** The marks that a server's data can have. */
export const dataMarks = ['private', 'untrusted'] as const

/** Settings of a sign-in by OAuth; missing ones are discovered. */
export const oauth = table({
  clientId: { says: 'The client id that the authorization server knows.', shape: textValue() },
  clientSecret: { says: 'The secret of that client, best as "secret:NAME".', shape: textValue() },
  scopes: { says: 'The scopes to ask for.', shape: listOf(textValue()) },
  resource: { says: 'The resource to ask a token for, when it is not the address.', shape: textValue() },
  callbackPort: { says: 'The port that the browser comes back to.', shape: whole(0, 65_535), default: 0 },
})

/** Filter of a server's offered tools. */
export const toolFilter = table({
  only: {
    says: 'Only these tools are offered; * stands for any characters.',
    shape: listOf(textValue()),
    tighter: partOf,
  },
  except: { says: 'These tools are not offered.', shape: listOf(textValue()), tighter: always },
})

/** Confinement of a program: paths it may write, network it may reach. */
export const sandbox = table({
  writable: {
    says: 'The only paths that the program can write, with all that is below them; nothing where missing.',
    shape: listOf(argument),
  },
  network: {
    says: 'Whether the program can reach the network.',
    shape: flag(),
    default: true,
    tighter: becomes(false),
  },
  by: {
    says: "What confines it; bubblewrap where it works and else Node's permission model, where missing.",
    shape: choice('bubblewrap', 'node'),
  },
  required: {
    says: 'Whether the program is not started where nothing can confine it; else it runs and its status says so.',
    shape: flag(),
    default: false,
    tighter: becomes(true),
  },
})

/** One server: its program or its address, and its settings. */
export const serverEntry = table({
  type: {
    says: 'How it is reached; found out from command or url where missing.',
    shape: choice('stdio', 'http', 'sse'),
  },
  command: { says: 'The program to start.', shape: program },
  args: { says: 'The arguments of the program.', shape: listOf(argument) },
  env: { says: 'What is added to the environment of the program; it gets little else.', shape: mapOf(argument) },
  envFile: { says: 'A file of NAME=value lines that are added to the environment.', shape: textValue() },
  cwd: { says: 'The directory that the program starts in.', shape: textValue() },
  passNetwork: {
    says: 'Whether the program gets the proxy and the certificates of this host in its environment.',
    shape: flag(),
    default: false,
  },
  mine: {
    says: 'Whether you write the program yourself, so that changes to its files do not ask you.',
    shape: flag(),
    default: false,
  },
  sandbox: { says: 'What the program can write and reach; everything that you can, where missing.', shape: sandbox },
  url: { says: 'The address of a server that runs elsewhere.', shape: address },
  headers: { says: 'Headers for every request to that address.', shape: mapOf(header) },
  oauth: { says: 'How to sign in; found out where missing.', shape: oauth },
  revision: {
    says: 'The only revision of the protocol to speak with it, for servers that can less in newer ones; the newest common one where missing.',
    shape: choice(...serverRevisions),
  },
  disabled: {
    says: 'Whether it is neither started nor offered.',
    shape: flag(),
    default: false,
    tighter: becomes(true),
  },
  start: { says: 'When it is started.', shape: choice('on demand', 'at once'), default: 'on demand' },
  sharing: {
    says: 'Who shares one running copy: all callers, those of one project, or nobody.',
    shape: choice('shared', 'project', 'caller'),
  },
  startTimeoutMs: {
    says: 'How long it may take to start.',
    shape: milliseconds,
    default: 30_000,
    tighter: lower,
  },
  callTimeoutMs: { says: 'How long a call may take; no limit where missing.', shape: milliseconds, tighter: lower },
  idleMs: {
    says: 'How long it runs on without being used; 0 for without end.',
    shape: whole(0, 604_800_000),
    default: 600_000,
    tighter: lowerButZero,
  },
  maxCalls: { says: 'How many calls it is given at once.', shape: whole(1, 10_000), default: 64, tighter: lower },
  maxMemoryMb: {
    says: 'How much memory it may use before it is restarted.',
    shape: whole(16, 1_048_576),
    default: 4_096,
    tighter: lower,
  },
  repeatable: {
    says: 'Tools that may be called again when a call did not arrive, since a repeat does no harm; those that only read may anyway.',
    shape: listOf(textValue()),
  },
  maxRepeatsPerMinute: {
    says: 'How many calls are made again in a minute, where that is safe.',
    shape: whole(0, 10_000),
    default: 30,
    tighter: lower,
  },
  maxRequestsPerSecond: {
    says: 'How many requests it may send in a second, such as forms and prompts; beyond that its output is read slowly.',
    shape: whole(1, 100_000),
    default: 20,
    tighter: lower,
  },
  maxNotificationsPerSecond: {
    says: 'How many notifications it may send in a second; beyond that its output is read slowly.',
    shape: whole(1, 100_000),
    default: 500,
    tighter: lower,
  },
  maxResultKb: { says: 'How large its results may be before they are kept aside.', shape: whole(1, 1_048_576) },
  record: { says: 'What is kept of its arguments and results.', shape: choice('full', 'shape', 'off') },
  data: {
    says: 'Whether what it reads is private to you, comes from people you do not know, or both, as a list of the two.',
    shape: choices(...dataMarks),
  },
  tools: { says: 'Which of its tools are offered.', shape: toolFilter },
  rename: { says: 'Other names for its tools.', shape: mapOf(textValue()) },
  describe: { says: 'Other descriptions for its tools.', shape: mapOf(textValue()) },
  classes: {
    says: 'What its tools do, where you know better than it says.',
    shape: mapOf(choice('reads', 'writes', 'destroys', 'unknown')),
  },
})

/** One server as it is written. */
export type ServerEntry = Of<typeof serverEntry>
