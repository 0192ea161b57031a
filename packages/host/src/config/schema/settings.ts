import { isTable, type Value } from '../document/document.ts'
import { modelEntry, modelUse } from './model-entry.ts'
import { ruleSchemas } from './rule-schemas.ts'
import { serverEntry } from './server-entry.ts'
import { anyValue, choice, flag, listOf, mapOf, type Of, type SettingShape, table, textValue, whole } from './shape.ts'

/** A rule as people write it; the policy reads it, since a rule that was dropped would loosen. */
const rule = anyValue({ $ref: '#/$defs/rule' })

const input = table({
  id: { says: 'What ${input:…} names.', shape: textValue() },
  type: { says: 'How it is asked for.', shape: choice('promptString', 'pickString', 'command') },
  description: { says: 'What the person is asked.', shape: textValue() },
  default: { says: 'What is proposed.', shape: textValue() },
  password: { says: 'Whether what is typed is hidden.', shape: flag(), default: false },
  options: { says: 'What can be chosen.', shape: listOf(anyValue({ type: ['string', 'object'] })) },
})

const policy = table({
  mode: {
    says: 'observe asks nothing, refuses what deny says, and records.',
    shape: choice('enforce', 'observe'),
    default: 'enforce',
  },
  allow: { says: 'What runs without a question.', shape: listOf(rule) },
  ask: { says: 'What a person is asked about.', shape: listOf(rule) },
  deny: { says: 'What never runs; this wins.', shape: listOf(rule) },
  review: { says: 'Whose results a person sees before the caller does.', shape: listOf(rule) },
  taint: {
    says: 'When data may leave after private and untrusted sources were both read.',
    shape: choice('default', 'strict', 'off'),
    default: 'default',
  },
  proof: {
    says: 'Which decisions need a proof of the person, besides those chosen with "trunkline proof".',
    shape: listOf(choice('destroys', 'policy', 'everything')),
  },
  definitions: {
    says: 'strict stops a tool as soon as its definition changes.',
    shape: choice('default', 'strict'),
    default: 'default',
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
  keepDays: { says: 'How long arguments and results are kept.', shape: whole(0, 3_650), default: 14 },
  maxMb: { says: 'How much room they may take.', shape: whole(1, 1_048_576), default: 512 },
  chainDays: { says: 'How long the record of what was done is kept.', shape: whole(1, 36_500), default: 365 },
})

const host = table({
  port: { says: 'The port on loopback; 0 takes a free one.', shape: whole(0, 65_535), default: 4173 },
  idleMinutes: {
    says: 'How long the host stays after its last caller has left.',
    shape: whole(1, 10_080),
    default: 30,
  },
  startsAtOnce: { says: 'How many servers are started at the same time.', shape: whole(1, 64), default: 4 },
  callsPerMinute: {
    says: 'How many calls one program may make in a minute.',
    shape: whole(1, 1_000_000),
    default: 6000,
  },
  maxResultKb: {
    says: 'How large a result may be before it is kept aside.',
    shape: whole(1, 1_048_576),
    default: 8192,
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
  maxRemembered: { says: 'Runs that are remembered for a report.', shape: whole(1, 10_000), default: 200 },
})

const network = table({
  proxy: {
    says: 'The proxy to reach servers elsewhere through, best as "secret:NAME" where it has a password; HTTPS_PROXY and HTTP_PROXY where missing, "" for none.',
    shape: textValue(),
  },
  noProxy: { says: 'The hosts that are reached without it; NO_PROXY where missing.', shape: textValue() },
  ca: { says: 'A PEM file with authorities that are trusted beside the usual ones.', shape: textValue() },
})

const notify = table({
  desktop: { says: 'Whether questions are shown by the system.', shape: flag(), default: true },
  webhook: { says: 'An address that is told of questions; it cannot answer them.', shape: textValue() },
})

/** Everything that `trunkline.json` may hold. */
export const settings = table({
  $schema: { says: 'For editors.', shape: textValue() },
  mcpServers: { says: 'The servers, each under a name.', shape: mapOf(serverEntry) },
  inputs: { says: 'Values that a person is asked for once, for ${input:…}.', shape: listOf(input) },
  policy: { says: 'What may happen, and what a person is asked about.', shape: policy },
  profiles: { says: 'Choices of servers and tools, each behind an address of its own.', shape: mapOf(profile) },
  models: { says: 'The language models behind sampling and chat, each under a name.', shape: mapOf(modelEntry) },
  model: { says: 'Which of the models is used, and how much.', shape: modelUse },
  ledger: { says: 'What is kept of what was done.', shape: ledger },
  host: { says: 'How the host runs.', shape: host },
  pipe: { says: 'How much a plan of calls may ask for.', shape: pipe },
  network: { says: 'How servers elsewhere are reached.', shape: network },
  notify: { says: 'How a person hears of a question.', shape: notify },
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

/** The value that counts where nobody wrote one; undefined when there is none. */
export function usualValue(path: readonly (string | number)[]): Value | undefined {
  let schema: Value | undefined = settings.schema
  for (const part of path) {
    if (!isTable(schema) || !isTable(schema.properties)) return undefined
    schema = schema.properties[part]
  }
  return isTable(schema) ? schema.default : undefined
}

/** The settings that are one value and not below a name that a person chose, as paths. */
export function plainSettings(): string[][] {
  return walk(settings, []).filter(([first]) => first !== '$schema')
}

function walk(shape: SettingShape<unknown>, path: string[]): string[][] {
  const { properties, type } = shape.schema
  if (isTable(properties)) {
    return Object.entries(properties).flatMap(([key, inner]) =>
      walk({ schema: inner } as SettingShape<unknown>, [...path, key]),
    )
  }
  return type === 'object' || type === 'array' ? [] : [path]
}
