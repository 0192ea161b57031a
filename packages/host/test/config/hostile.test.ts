import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../tools/lib/any-character.ts'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { clients } from '../../src/clients/clients.ts'
import { formats, guessFormat, readDocument, writableFormats, writeServer } from '../../src/clients/formats.ts'
import { planImport } from '../../src/clients/import/plan.ts'
import type { Value } from '../../src/config/document/document.ts'
import { readJson } from '../../src/config/document/json.ts'
import { effectiveConfig } from '../../src/config/effective.ts'
import { readLayer } from '../../src/config/layers/layer.ts'
import { describeProblem } from '../../src/config/problem.ts'
import { resolveServer } from '../../src/config/resolve-server.ts'
import { settings } from '../../src/config/schema/settings.ts'
import { findLiterals } from '../../src/config/secrets/find-literals.ts'
import { maskedIn } from '../../src/config/secrets/mask.ts'

/** Number of tries of a property: all of them in the long form, else a fifth. */
const runs = (most: number) => (isLong ? most : most / 5)

/** Every key that some format knows, and keys that break careless programs. */
const keys = fc.constantFrom(
  ...[
    'mcpServers',
    'servers',
    'mcp',
    'mcp_servers',
    'projects',
    'permissions',
    'permission',
    'inputs',
    'packages',
    'remotes',
  ],
  ...[
    'command',
    'args',
    'env',
    'environment',
    'url',
    'httpUrl',
    'serverUrl',
    'headers',
    'type',
    'timeout',
    'tools',
    'oauth',
  ],
  ...[
    'allow',
    'deny',
    'autoApprove',
    'disabled',
    'enabled',
    'trust',
    'env_vars',
    'http_headers',
    'identifier',
    'registryType',
  ],
  ...[
    'policy',
    'host',
    'name',
    'a',
    '',
    '.',
    'a.b',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '\0',
    '\u202e',
  ],
)

const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    'npx',
    'mcp-remote',
    'https://x',
    'npm',
    'stdio',
    '${',
    '${}',
    '$${',
    '${A:-${B}}',
    '${secret:x}',
    'secret:x',
    '\0',
    'a\r\nb',
  ),
)

const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    texts,
    fc.constantFrom<Value>(null, true, false, 0, -1, 1e308, 0.5),
    fc.array(tie('value'), { maxLength: 4 }),
    // entries rather than a dictionary, so that __proto__ is a key too
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as Value),
  ),
})).value

function assertUnpolluted(): void {
  assert.deepEqual(Object.keys(Object.prototype), [])
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
}

test('any JSON as any format: nothing is thrown, and the results are entries of ours', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value)
      for (const format of formats.filter(({ syntax }) => syntax === 'json')) {
        const reading = format.read(readDocument(format, '/f', text))
        const mcpServers = Object.fromEntries(reading.servers.map(({ name, entry }) => [name, entry]))
        settings.check({ mcpServers } as Value, [], (misfit) => assert.fail(JSON.stringify(misfit)))
        for (const one of reading.left) assert.ok(one.line >= 1 && one.problem !== '' && one.fix !== '')
      }
      guessFormat('/f', text)
      assertUnpolluted()
    }),
    { numRuns: runs(300) },
  )
})

test('any JSON from every client at once: one plan, whose rules and names are legal', () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: clients.length, maxLength: clients.length }), (all) => {
      const files = clients.flatMap(({ id, files: { value: places } }, at) =>
        places.flatMap(({ scope, format: formatId }) => {
          const format = formats.find((one) => one.id === formatId)
          if (format === undefined || format.syntax === 'toml') return []
          const document = readDocument(format, `/${id}`, JSON.stringify(all[at]))
          return [
            { client: id, scope, file: `/${id}`, project: undefined, reading: format.read(document), problems: [] },
          ]
        }),
      )
      const plan = planImport(files, { endpoints: [], present: new Map() })
      for (const { name } of plan.servers) assert.match(name, /^[a-z0-9-]+$/)
      for (const { rule } of plan.rules) assert.match(rule.match, /^[^:{}\s]+:[^{}\s]+$/)
      assert.equal(new Set(plan.servers.map(({ name }) => name)).size, plan.servers.length)
    }),
    { numRuns: runs(100) },
  )
})

test('any JSON as our own file: problems with lines, and the rest is usable', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const text = JSON.stringify(
        { mcpServers: { good: { command: 'x' } }, ...(typeof value === 'object' ? value : {}) },
        null,
        1,
      )
      const config = effectiveConfig([readLayer('user', readJson('/f', text))], () => false)
      for (const problem of config.problems) assert.match(describeProblem(problem), /^\/f:\d+: /)
      for (const server of config.servers) {
        const context = { environment: {}, secrets: { get: async () => undefined }, home: '/h', workspace: undefined }
        const { launch, needs } = await resolveServer(server, context)
        assert.equal(launch === undefined, needs.length > 0)
        if (launch?.type === 'stdio') assert.doesNotMatch([launch.command, ...launch.args].join(''), /\0/)
      }
      assertUnpolluted()
    }),
    { numRuns: runs(300) },
  )
})

test('any JSON: looking for secrets and masking them never fails', () => {
  fc.assert(
    fc.property(values, (value) => {
      for (const { value: secret } of findLiterals('x', value)) assert.notEqual(secret, '')
      maskedIn(value)
    }),
    { numRuns: runs(300) },
  )
})

test('any text at all: read without throwing, edited or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.constantFrom(...writableFormats), (text, format) => {
      const document = readDocument(format, '/f', text)
      format.read(document)
      try {
        writeServer(format, document, 'a', { command: 'x' })
      } catch (error) {
        assert.match((error as Error).message, /^Cannot (?:edit|set)/)
      }
    }),
    { numRuns: runs(500) },
  )
})

const sizes = {
  'a text of a megabyte': `{ "mcpServers": { "a": { "command": "${'x'.repeat(1024 ** 2)}" } } }`,
  'twenty thousand arguments': `{ "mcpServers": { "a": { "command": "x", "args": [${'"y",'.repeat(20_000)}"z"] } } }`,
  'two thousand servers': `{ "mcpServers": {${Array.from({ length: 2_000 }, (_, at) => `"s${at}": { "command": "x" }`).join()}} }`,
  'a comment of a megabyte': `{ /* ${'*'.repeat(1024 ** 2)} */ "mcpServers": {} }`,
  'white space of a megabyte': `{${' \n'.repeat(512 * 1024)}"mcpServers": {} }`,
  'a hundred thousand openings': '{"mcpServers":'.repeat(100_000),
  'a text that never ends': `{ "a": "${'\\u0000'.repeat(100_000)}`,
}

for (const [what, text] of Object.entries(sizes)) {
  test(`${what}: read in every format`, () => {
    for (const format of formats) {
      const document = readDocument(format, '/f', text)
      format.read(document)
    }
    effectiveConfig([readLayer('user', readJson('/f', text))], () => false)
  })
}
