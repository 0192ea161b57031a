import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseRule } from '../../policy/parse-rule.ts'
import type { RuleText } from '../../policy/rule.ts'
import type { Value } from '../document/document.ts'
import { allSettings, plainSettings, settingRule, settings, settingsSchema } from './settings.ts'
import { settingsPage } from './settings-page.ts'

const file = join(import.meta.dirname, '../../../trunkline.schema.json')

test('settingsSchema: the file for editors is made of it (node packages/host/src/config/schema/write-schema.ts)', () => {
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(JSON.stringify(settingsSchema)))
})

test('settingsPage: the page of all settings is made of it (node packages/host/src/config/schema/write-schema.ts)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/settings.md'), 'utf8')
  assert.equal(page, settingsPage())
})

test('allSettings: each has a scope and a tightening, so that a new one cannot go without', () => {
  const without = allSettings().filter((path) => settingRule(path) === undefined)
  assert.deepEqual(without, [])
})

test('settingRule: idleMs 0 means without end, so it never tightens, and anything tightens it', () => {
  const tighter = settingRule(['mcpServers', 'files', 'idleMs'])?.tighter
  assert.deepEqual(
    [
      [0, 600_000],
      [1_000, 600_000],
      [600_001, 600_000],
      [5_000_000, 0],
      [0, 0],
    ].map(([next = 0, below]) => tighter?.isTighter(next, below)),
    [false, true, false, true, true],
  )
})

test('settingsSchema: every key has a description', () => {
  interface Described {
    readonly description?: string
    readonly properties?: Readonly<Record<string, Described>>
  }
  const check = (schema: Described, at: string) => {
    for (const [key, inner] of Object.entries(schema.properties ?? {})) {
      assert.match(inner.description ?? '', /^.{10,}\.$/, `${at}.${key}`)
      check(inner, `${at}.${key}`)
    }
  }
  check(settingsSchema as object, '')
})

const samples: readonly (readonly [fits: boolean, value: Value])[] = [
  [true, {}],
  [true, { mcpServers: { a: { command: 'x', args: ['y'], env: { A: 'b' }, disabled: true } } }],
  [true, { mcpServers: { a: { url: 'https://x', headers: { A: 'b' }, oauth: { scopes: ['s'] } } } }],
  [true, { policy: { allow: ['a:b', { match: 'c:d' }] }, profiles: { p: { servers: ['a'] } } }],
  [true, { mcpServers: { a: { command: 'x', data: 'private' }, b: { command: 'x', data: ['private', 'untrusted'] } } }],
  [false, { mcpServers: { a: { command: 'x', data: [] } } }],
  [false, { mcpServers: { a: { command: 'x', data: ['private', 'private'] } } }],
  [false, { mcpServers: { a: { command: 'x', data: { private: true } } } }],
  [false, { mcpServers: { a: { command: 1 } } }],
  [false, { mcpServers: { a: { url: 'ftp://x' } } }],
  [false, { mcpServers: { a: { unknown: 1 } } }],
  [false, { policy: { mode: 'off' } }],
  [false, { host: { port: 1.5 } }],
  [false, { policy: { allow: 'a:b' } }],
  [false, []],
]

test('settingsSchema: an editor and the host judge alike', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(settingsSchema)
  for (const [fits, value] of samples) {
    let misfits = 0
    settings.check(value, [], () => misfits++)
    assert.equal(misfits === 0, fits, JSON.stringify(value))
    assert.equal(validate(value), fits, JSON.stringify(value))
  }
})

test('settings: a wrong mark of data is told with the field, the value and every right way to write it', () => {
  const fix = 'write "private", "untrusted" or, for several, a list such as ["private", "untrusted"]'
  for (const data of [
    'secret',
    ['private', 'secret'],
    [],
    ['untrusted', 'untrusted'],
    true,
    null,
  ] as readonly Value[]) {
    const misfits: unknown[] = []
    settings.check({ mcpServers: { a: { command: 'x', data } } }, [], (misfit) => misfits.push(misfit))
    assert.deepEqual(misfits, [{ at: ['mcpServers', 'a', 'data'], problem: `is ${JSON.stringify(data)}`, fix }])
  }
})

test('plainSettings: settings that a variable can set', () => {
  const keys = plainSettings().map((path) => path.join('.'))
  assert.ok(keys.includes('host.port') && keys.includes('policy.mode'))
  assert.ok(!keys.some((key) => key.startsWith('mcpServers') || key === 'policy.allow'))
})

test('settingsSchema: a rule is one for editors where the policy can read it', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(settingsSchema)
  const rules: readonly Value[] = [
    ...[
      'files:read',
      'files:@read{uri~note://**}',
      ' a:b{x=1, y~/tmp/**} ',
      'a:b{=={"x":{}}}',
      'files',
      'a:b c',
      ':x',
      'a:{x=1}',
    ],
    ...[
      { match: 'a:b' },
      { class: 'reads' },
      { class: ['reads', 'writes'], why: 'x' },
      { by: 'local' },
      { principal: '*' },
    ],
    ...[{ macth: 'a:b' }, { class: 'harmless' }, { by: 'anyone' }, { match: 'files' }, { why: 1 }, 7, null, ['a:b']],
  ]
  const readable = rules.map((rule) => {
    try {
      return parseRule('deny', rule as RuleText, { layer: 'user', file: 'x', line: 1 }) !== undefined
    } catch {
      return false
    }
  })
  assert.deepEqual(
    rules.map((rule) => validate({ policy: { deny: [rule] } })),
    readable,
  )
  assert.equal(readable.filter(Boolean).length, 9)
})
