/** Schemas of the local API's inputs and answers: they check, they type both sides, and they are its documentation. */
import { z } from 'zod'

export const fields = z.record(z.string(), z.unknown())
export const milliseconds = z.number().describe('As in Date.now()')

/** Answer of a route that only confirms. */
export const confirmation = z.object({ done: z.literal(true) })

/** A list of items. */
export const list = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) })

const dataMark = z.enum(['private', 'untrusted'])

export const toolClass = z.enum(['reads', 'writes', 'destroys', 'unknown'])

export const configProblem = z.object({
  file: z.string(),
  line: z.number(),
  key: z.string(),
  problem: z.string(),
  fix: z.string(),
})

export const waitingFile = z.object({
  file: z.string(),
  hash: z.string(),
  settings: z.array(
    z.object({ path: z.array(z.union([z.string(), z.number()])), value: z.unknown(), line: z.number() }),
  ),
})

export const hostStatus = z.object({
  version: z.string(),
  pid: z.number(),
  startedAt: milliseconds,
  mcp: z.string().describe('The address of the endpoint for clients'),
  home: z.string().describe('The home folder of the person, for paths that are shown short'),
  mode: z.enum(['enforce', 'observe']),
  questions: z.number().describe('How many questions wait for a person'),
  problems: z.array(configProblem),
  waiting: z.array(waitingFile).describe('Project files that permit nothing until they are accepted'),
  found: z.array(z.object({ name: z.string(), client: z.string(), file: z.string() })),
  leftovers: z
    .array(z.object({ pid: z.number(), command: z.string() }))
    .describe('Processes that servers of an earlier host had left; they were ended when this one started'),
})

export const serverSummary = z.object({
  name: z.string(),
  key: z.string().describe('Its name, with a mark of the project where it is one of a project'),
  project: z.string().optional(),
  state: z.enum(['waiting', 'starting', 'ready', 'failing', 'stopped', 'needs you']),
  why: z.string(),
  since: milliseconds,
  starts: z.number(),
  waitMs: z.number(),
  pid: z.number().optional(),
  calls: z.number().describe('Calls under way'),
  throttled: z.string().optional().describe('Why its output is read slowly; missing where it is not'),
  failedAt: milliseconds
    .optional()
    .describe('When it failed, if it was not started since; the host was restarted meanwhile'),
  isAccepted: z.boolean(),
  acceptedAt: milliseconds.optional().describe('When it was accepted first'),
  needs: z.string().optional().describe('What is missing before it can be accepted or started, such as a secret'),
  isRemote: z.boolean().describe('Whether it runs elsewhere, at an address'),
  command: z
    .string()
    .describe('The command or address in full; as it is written while something is missing, empty where it is broken'),
  commandHash: z
    .string()
    .describe('The hash of what a person accepts, with the files it would run; empty while something is missing'),
  runs: z
    .array(z.string())
    .optional()
    .describe('The files that it would run, with their digests, while it waits to be accepted'),
  differences: z.array(z.string()).optional().describe('What of an accepted server is not as it was accepted'),
  variables: z.array(z.string()).describe('The names of the variables or headers that it is given'),
  folder: z.string().optional().describe('Where it is started'),
  sandbox: z.string().optional().describe('What its sandbox lets it do; missing where it has none'),
  data: z.enum(['private', 'untrusted', 'private and untrusted']).optional().describe('The marks of its data'),
  source: z.string().optional(),
  program: z.string().optional().describe('The package it runs, at the version that was accepted'),
  tools: z.number(),
  tokens: z.number().describe('Estimated tokens of its tools and instructions in each conversation'),
  callsIn30Days: z.number(),
  signInAt: z.string().optional().describe('The host at which somebody has to sign in first'),
})

export const serverList = z.object({
  items: z.array(serverSummary),
  disabled: z
    .array(z.object({ name: z.string(), source: z.string().describe('The file and line of its entry') }))
    .describe('Servers that are not started because their entries have "disabled": true'),
})

export const signIn = z.object({
  isSignedIn: z.boolean(),
  page: z.string().optional().describe('Where to sign in'),
  host: z.string().optional().describe('The host of that page, as it really is'),
  question: z.string().optional().describe('The question of the inbox that is withdrawn when somebody has signed in'),
})

export const serverDetail = z.object({
  revision: z.string().optional().describe('The revision of the protocol it speaks'),
  name: z.string().optional().describe('As it calls itself'),
  version: z.string().optional(),
  capabilities: fields.optional(),
  instructions: z.string().optional(),
  differences: z.array(z.string()).describe('What it would run that is not as it was accepted'),
  installed: z
    .object({ command: z.string(), args: z.array(z.string()) })
    .optional()
    .describe('The program of its package as the host starts it, at the version that was accepted'),
  unusable: z.array(z.string()).describe('What of its answers cannot be used and was left out, each with why'),
  proposes: z.string().optional().describe('A sandbox that leaves it what its tools say they touch, where it has none'),
})

export const newServerEntry = z.strictObject({
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  data: z.union([dataMark, z.array(dataMark).min(1)]).optional(),
})

const logLevel = z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
export const logLine = z.object({
  at: milliseconds,
  text: z.string(),
  number: z.number().describe('Grows from line to line'),
  isUnfinished: z.boolean().optional().describe('The server has not ended the line yet'),
  level: logLevel.optional().describe('Severity of a log message of the protocol; missing for stderr'),
})

const offerKinds = ['tool', 'prompt', 'template', 'instructions', 'skill'] as const
const offerKind = z.enum(offerKinds)

export const catalogueEntry = z.object({
  kind: offerKind,
  name: z.string().describe('The name in the aggregate'),
  server: z.string(),
  original: z.string(),
  shown: z.string(),
  class: toolClass,
  standing: z.enum(['usable', 'new', 'changed', 'hidden', 'set aside']),
  why: z.string().optional(),
  hash: z.string(),
  definition: fields,
  callsIn30Days: z.number(),
  tokens: z.number(),
})

export const definitionChange = z.object({
  server: z.string(),
  kind: offerKind,
  name: z.string(),
  change: z.enum(['new', 'changed', 'gone']),
  class: toolClass,
  findings: z.array(z.string()).describe('What the scanner found in the new definition'),
  differences: z.array(z.object({ at: z.string(), before: z.unknown(), after: z.unknown(), meaning: z.string() })),
})

export const outdatedServer = z.object({
  server: z.string(),
  program: z.string(),
  accepted: z.string(),
  available: z.string().optional(),
  why: z.string().optional().describe('Why the newest version is not known'),
})

export const updatePlan = z.object({
  server: z.string(),
  from: z.string(),
  to: z.string(),
  changes: z.array(definitionChange),
  scripts: z.array(z.string()).describe('Install scripts that run once a person agrees'),
  unseen: z.string().optional().describe('Why it was not started, so that it is not known what it would change'),
  digest: z.string().describe('What a person agrees to: this version with these definitions'),
})

export const cannotTell = z.object({ server: z.string(), why: z.string() })

export const lockFinding = z.object({
  server: z.string(),
  file: z.string(),
  line: z.number(),
  part: z.enum(['server', 'command', 'program', ...offerKinds]),
  name: z.string(),
  result: z.enum(['same', 'changed', 'new', 'cannot tell']),
  why: z.string(),
})

export const question = z.object({
  id: z.string(),
  kind: z.enum([
    'call',
    'result',
    'form',
    'page',
    'prompt',
    'definition',
    'start',
    'client',
    'file',
    'programs',
    'sign-in',
  ]),
  server: z.string(),
  target: z.string(),
  principal: z.string(),
  project: z.string().optional(),
  why: z.string(),
  detail: fields,
  by: z.literal('local').optional(),
  askedAt: milliseconds,
  expiresAt: milliseconds,
  abandoned: z
    .object({ approvalMs: z.number().describe('How long an approval waits for such a call') })
    .optional()
    .describe('Set if the caller does not wait any more: an answer is for the next call with the same arguments'),
})

export const runBy = z
  .enum(['person', 'app'])
  .optional()
  .describe('An app of the server, shown in the page, is a program of its own and may less; a person by default')

export const run = z.object({
  result: fields.optional().describe('What came back'),
  error: z
    .object({ message: z.string(), code: z.number().optional(), data: z.unknown().optional() })
    .optional()
    .describe('Why nothing came back'),
  ms: z.number(),
  trace: z.string().describe('Its trace id, by which the ledger knows it'),
})

const lineKind = z.enum(['began', 'ended', 'refused', 'decided', 'accepted', 'changed', 'started', 'stopped'])

export const taskState = z.object({
  task: z.string().optional().describe('Its id; missing where the call was answered at once'),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  message: z.string().optional().describe('What its author says of how it stands'),
  createdAt: z.number(),
  updatedAt: z.number(),
  keptForMs: z.number().nullable().describe('From its creation on; null is for ever'),
  result: z.record(z.string(), z.unknown()).optional(),
  error: run.shape.error,
})

export const ledgerLine = z.object({
  number: z.number(),
  at: milliseconds,
  hash: z.string(),
  previous: z.string(),
  line: z.object({
    kind: lineKind,
    act: z.string().optional(),
    actKind: z.string().optional(),
    question: z.string().optional().describe('The question by which a person decided, or was asked to'),
    principal: z.string().optional(),
    project: z.string().optional(),
    server: z.string().optional(),
    target: z.string().optional(),
    effect: z.string().optional(),
    rule: z.string().optional(),
    outcome: z.string().optional(),
    ms: z.number().optional(),
    isSent: z.boolean().optional().describe('Whether an act that failed or was refused had reached its server'),
    trace: z.string().optional(),
    argumentsDigest: z.string().optional(),
    resultDigest: z.string().optional(),
    definition: z.string().optional(),
    by: z.string().optional(),
    why: z.string().optional(),
  }),
})

export const signedTip = z.object({
  number: z.number().describe('The last line'),
  hash: z.string(),
  first: z.number().describe('The first line that is kept'),
  unsignedUpTo: z.number().describe('Lines up to this one were written before the key was made'),
  at: z.number(),
  publicKey: z.string().describe('Ed25519, in base64 of its SPKI form'),
  signature: z.string(),
})

export const ledgerFilter = z.strictObject({
  server: z.string().optional(),
  target: z.string().optional(),
  principal: z.string().optional(),
  kind: lineKind.optional(),
  outcome: z.string().optional(),
  since: z.coerce.number().optional(),
  until: z.coerce.number().optional(),
  before: z.coerce.number().optional(),
  most: z.coerce.number().int().min(1).max(1_000).optional(),
  search: z
    .string()
    .max(500)
    .optional()
    .describe('Words that must all stand in a line or in the recorded arguments and results of its act'),
})

export const rule = z.object({
  effect: z.enum(['allow', 'ask', 'deny']),
  text: z.string(),
  layer: z.string(),
  file: z.string(),
  line: z.number(),
  outdated: z
    .object({ why: z.string(), instead: z.string().optional() })
    .optional()
    .describe('Why it does not say today what it was written for'),
  unmatched: z
    .string()
    .optional()
    .describe('Why it matches nothing at the moment, such as a server that is not configured'),
})

export const explanation = z.object({
  effect: z.enum(['allow', 'ask', 'deny']),
  why: z.string(),
  rule: rule.optional(),
  considered: z.array(rule.extend({ unmet: z.string().optional() })),
  change: z.string().describe('The smallest change that would have changed it'),
})

export const client = z.object({
  name: z.string(),
  isApprover: z.boolean(),
  /** Programs that may start it with `trunkline stdio`. */
  programs: z.array(z.string()),
  madeAt: milliseconds,
  usedAt: milliseconds.optional(),
})

export const keyExplanation = z.object({
  key: z.string(),
  value: z.unknown(),
  isUsual: z.boolean(),
  lines: z.array(z.string()).describe('The explanation for a terminal'),
})
