import { isTable, type Path, type Value } from '../document/document.ts'
import { modelEntry, modelUse } from './model-entry.ts'
import { ruleSchemas } from './rule-schemas.ts'
import { serverEntry } from './server-entry.ts'
import { always, becomes, lower, never, type SettingRule } from './setting-rule.ts'
import {
  anyValue,
  choice,
  flag,
  listOf,
  type Member,
  mapOf,
  type Of,
  type SettingShape,
  table,
  textValue,
  whole,
} from './shape.ts'

/** A rule as people write it; the policy reads it, since a rule that was dropped would loosen. */
const rule = anyValue({ $ref: '#/$defs/rule' })

const input = table({
  id: { says: 'What ${input:…} names.', shape: textValue() },
  type: {
    says: 'How it is asked for; a value of pickString must be one of its options, and a command is not run.',
    shape: choice('promptString', 'pickString', 'command'),
  },
  description: { says: 'What the person is asked.', shape: textValue() },
  default: { says: 'What counts where no value is kept, unless it is a password.', shape: textValue() },
  password: { says: 'Whether it is a secret, of which no default counts.', shape: flag(), default: false },
  options: { says: 'What can be chosen.', shape: listOf(anyValue({ type: ['string', 'object'] })) },
})

const policy = table({
  mode: {
    says: 'observe asks nothing, refuses what deny says, and records.',
    shape: choice('enforce', 'observe'),
    default: 'enforce',
    tighter: becomes('enforce'),
  },
  allow: { says: 'What runs without a question.', shape: listOf(rule) },
  ask: { says: 'What a person is asked about.', shape: listOf(rule), tighter: always },
  deny: { says: 'What never runs; this wins.', shape: listOf(rule), tighter: always },
  review: { says: 'Whose results a person sees before the caller does.', shape: listOf(rule), tighter: always },
  taint: {
    says: 'When data may leave after private and untrusted data were both read.',
    shape: choice('default', 'strict', 'off'),
    default: 'default',
    scope: 'stricter',
    tighter: becomes('strict'),
  },
  proof: {
    says: 'Which decisions need a proof of the person, besides those chosen with "trunkline proof".',
    shape: listOf(choice('destroys', 'policy', 'everything')),
    tighter: always,
  },
  definitions: {
    says: 'strict stops a tool as soon as its definition changes.',
    shape: choice('default', 'strict'),
    default: 'default',
    tighter: becomes('strict'),
  },
})

const toolPattern = textValue({
  matches: /^(?:[a-z0-9*-]+:.+|\*+)$/,
  problem: 'is no pattern of tools',
  fix: 'write it as "server:tool", with * for any characters',
})

const profile = table({
  description: { says: 'What it is for.', shape: textValue() },
  servers: { says: 'The servers it offers; all where missing.', shape: listOf(textValue()) },
  tools: { says: 'The tools it offers, as server:tool with * for any characters.', shape: listOf(toolPattern) },
  search: { says: 'Whether tools are found by searching instead of listed.', shape: flag(), default: false },
  pipe: { says: 'Whether the tool that runs plans of calls is listed.', shape: flag(), default: false },
})

const ledger = table({
  record: { says: 'What is kept of arguments and results.', shape: choice('full', 'shape', 'off'), default: 'full' },
  keepDays: { says: 'How long arguments and results are kept.', shape: whole(0, 3_650), default: 14, scope: 'host' },
  maxMb: { says: 'How much room they may take.', shape: whole(1, 1_048_576), default: 512, scope: 'host' },
  chainDays: {
    says: 'How long the record of what was done is kept.',
    shape: whole(1, 36_500),
    default: 365,
    scope: 'host',
  },
})

const host = table({
  port: {
    says: 'The port on loopback; 0 takes a free one at every start. Where it is not set, the port of the first start stays.',
    shape: whole(0, 65_535),
    scope: 'host',
  },
  idleMinutes: {
    says: 'How long the host stays after its last caller has left.',
    shape: whole(1, 10_080),
    default: 30,
    scope: 'host',
  },
  startsAtOnce: {
    says: 'How many servers are started at the same time.',
    shape: whole(1, 64),
    default: 4,
    scope: 'host',
  },
  callsPerMinute: {
    says: 'How many calls one program may make in a minute.',
    shape: whole(1, 1_000_000),
    default: 6000,
    tighter: lower,
  },
  maxResultKb: {
    says: 'How large a result may be before it is kept aside.',
    shape: whole(1, 1_048_576),
    default: 8192,
    tighter: lower,
  },
})

const pipe = table({
  maxSteps: { says: 'Steps of a plan, those inside others included.', shape: whole(1, 10_000), default: 100 },
  maxNesting: { says: 'How deep steps may stand inside each other.', shape: whole(1, 32), default: 8 },
  maxPlanKb: { says: 'How large a plan may be.', shape: whole(1, 1_024), default: 256 },
  maxItems: { says: 'Items of one list that a step works through.', shape: whole(1, 1_000_000), default: 1_000 },
  maxCalls: { says: 'Calls of one run.', shape: whole(1, 1_000_000), default: 5_000 },
  maxParallel: { says: 'Calls of one run at the same time.', shape: whole(1, 64), default: 8 },
  maxKeptMb: { says: 'Results that one run keeps at the same time.', shape: whole(1, 1_024), default: 32 },
  maxMinutes: {
    says: 'How long a run may take, with the time that questions wait for a person.',
    shape: whole(1, 1_440),
    default: 30,
  },
  maxRuns: { says: 'Runs of one program at the same time.', shape: whole(1, 64), default: 4 },
  maxRemembered: {
    says: 'Runs that are remembered for a report.',
    shape: whole(1, 10_000),
    default: 200,
    scope: 'host',
  },
})

const network = table({
  proxy: {
    says: 'The proxy to reach servers elsewhere through, best as "secret:NAME" where it has a password; HTTPS_PROXY and HTTP_PROXY where missing, "" for none.',
    shape: textValue(),
  },
  noProxy: { says: 'The hosts that are reached without it; NO_PROXY where missing.', shape: textValue() },
  ca: { says: 'A PEM file with authorities that are trusted beside the usual ones.', shape: textValue() },
})

const folder = textValue({
  matches: /^(?:\/|~\/|[A-Za-z]:[\\/]|\\\\)/,
  problem: 'is no whole path of a folder',
  fix: 'write it from the root of the disk, or from the home directory with ~/',
})

const project = table({
  roots: { says: 'The folders that its servers get as roots.', shape: listOf(folder) },
})

const notify = table({
  desktop: { says: 'Whether questions are shown by the system.', shape: flag(), default: true },
  webhook: { says: 'An address that is told of questions; it cannot answer them.', shape: textValue() },
})

/** Everything that `trunkline.json` may hold. */
export const settings = table({
  $schema: { says: 'For editors.', shape: textValue(), scope: 'project', tighter: always },
  mcpServers: {
    says: 'The servers, each under a name.',
    shape: mapOf(serverEntry),
    scope: 'project',
    tighter: never,
  },
  inputs: {
    says: 'Values that a person is asked for once, for ${input:…}.',
    shape: listOf(input),
    scope: 'project',
    tighter: never,
  },
  policy: {
    says: 'What may happen, and what a person is asked about.',
    shape: policy,
    scope: 'project',
    tighter: never,
  },
  profiles: {
    says: 'Choices of servers and tools, each behind an address of its own.',
    shape: mapOf(profile),
    scope: 'project',
    tighter: never,
  },
  models: {
    says: 'The language models behind sampling and chat, each under a name.',
    shape: mapOf(modelEntry),
    scope: 'host',
    tighter: never,
  },
  model: { says: 'Which of the models is used, and how much.', shape: modelUse, scope: 'host', tighter: never },
  projects: {
    says: 'Settings of projects, each under its folder.',
    shape: mapOf(project),
    scope: 'host',
    tighter: never,
  },
  ledger: { says: 'What is kept of what was done.', shape: ledger, scope: 'project', tighter: never },
  host: { says: 'How the host runs.', shape: host, scope: 'project', tighter: never },
  pipe: { says: 'How much a plan of calls may ask for.', shape: pipe, scope: 'project', tighter: lower },
  network: { says: 'How servers elsewhere are reached.', shape: network, scope: 'project', tighter: never },
  notify: { says: 'How a person hears of a question.', shape: notify, scope: 'project', tighter: never },
})

/** The settings as they are written, with the layers joined. */
export type HostSettings = Of<typeof settings>

/** The JSON Schema of `trunkline.json`, for editors. */
export const settingsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://trunkline.dev/trunkline.schema.json',
  title: 'Trunkline',
  ...settings.schema,
  $defs: ruleSchemas,
}

/** The value that counts where no file says one; undefined when there is none. */
export function usualValue(path: Path): Value | undefined {
  return memberAt(path)?.default
}

/** Scope and tightening of a setting: its own, or those of the nearest table above it; undefined for no setting. */
export function settingRule(path: Path): SettingRule | undefined {
  const members = membersTo(path)
  const scope = members?.findLast((member) => member.scope !== undefined)?.scope
  const tighter = members?.findLast((member) => member.tighter !== undefined)?.tighter
  return scope === undefined || tighter === undefined ? undefined : { scope, tighter }
}

function memberAt(path: Path): Member<unknown> | undefined {
  return membersTo(path)?.at(-1)
}

/** The members that a path leads through; undefined where it leads to none. */
function membersTo(path: Path): readonly Member<unknown>[] | undefined {
  const members: Member<unknown>[] = []
  let shape: SettingShape<unknown> = settings
  for (const part of path) {
    const member: Member<unknown> | undefined = shape.inside?.(part)
    if (member === undefined) return undefined
    members.push(member)
    shape = member.shape
  }
  return members
}

/** Paths of all settings that are one value or one list; `*` stands for a name that a person chooses. */
export function allSettings(shape: SettingShape<unknown> = settings, path: readonly string[] = []): string[][] {
  const { properties, additionalProperties, items } = shape.schema
  const isNamed = isTable(additionalProperties) || (isTable(items) && isTable(items.properties))
  const keys = isTable(properties) ? Object.keys(properties) : isNamed ? ['*'] : []
  if (keys.length === 0) return [[...path]]
  return keys.flatMap((key) => allSettings(shape.inside?.(key)?.shape, [...path, key]))
}

/** The settings that are one value and not below a name that a person chose, as paths. */
export function plainSettings(): string[][] {
  return allSettings().filter((path) => {
    const { type } = memberAt(path)?.shape.schema ?? {}
    return !path.includes('*') && path[0] !== '$schema' && type !== 'array'
  })
}
