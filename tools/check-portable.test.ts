import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPortable } from './check-portable.ts'
import { described, sample } from './lib/sample.ts'

const src = 'packages/mcp/src'
const good = {
  'packages/mcp/package.json': JSON.stringify({
    imports: { '#stdio': { node: './src/stdio.ts', default: './src/no-stdio.ts' } },
  }),
  [`${src}/index.ts`]: "export * from './server.ts'\nexport { stdio } from '#stdio'",
  [`${src}/server.ts`]: "import type { Options } from './stdio.ts'",
  [`${src}/client.ts`]: "export { tools } from './client/tools.ts'",
  [`${src}/http.ts`]: 'export const http = 1',
  [`${src}/auth.ts`]: 'export const auth = 1',
  [`${src}/tasks.ts`]: 'export const tasks = 1',
  [`${src}/sqlite.ts`]: "export { open } from './stores/sqlite/open.ts'",
  [`${src}/stores/sqlite/open.ts`]: "import { DatabaseSync } from 'node:sqlite'",
  [`${src}/skills.ts`]: 'export const skills = 1',
  [`${src}/apps.ts`]: 'export const apps = 1',
  [`${src}/client/tools.ts`]: 'export const tools = 1',
  [`${src}/stdio.ts`]: "import { spawn } from 'node:child_process'",
  [`${src}/no-stdio.ts`]: 'export const stdio = undefined',
}

test('checkPortable: Node modules behind the node condition or a type are not reached', () => {
  assert.deepEqual(checkPortable(sample(good)), [])
})

for (const text of [
  "import 'node:fs'",
  "export const fs = () => import('node:fs')",
  "import type { Stats } from 'node:fs'",
]) {
  test(`checkPortable: reached, ${text} is a problem`, () => {
    const path = `${src}/client/tools.ts`
    assert.deepEqual(described(checkPortable(sample({ ...good, [path]: text }))), [
      `${path}:1: Cannot import "node:fs": browsers reach this file by ${src}/client.ts > ${path}`,
    ])
  })
}

test('checkPortable: a dynamic import is followed as a bundler does', () => {
  const files = sample({ ...good, [`${src}/client.ts`]: "export const stdio = () => import('./stdio.ts')" })
  assert.deepEqual(described(checkPortable(files)), [
    `${src}/stdio.ts:1: Cannot import "node:child_process": browsers reach this file by ${src}/client.ts > ${src}/stdio.ts`,
  ])
})

test('checkPortable: an entry that does not exist is a problem', () => {
  const files = sample(good).filter(({ path }) => path !== `${src}/client.ts`)
  assert.deepEqual(described(checkPortable(files)), [
    `${src}/client.ts: Cannot follow the imports of this entry: no such file`,
  ])
})

test('checkPortable: an entry that leads to the SQLite store is a problem, whatever it runs on', () => {
  const open = `${src}/stores/sqlite/open.ts`
  const files = sample({ ...good, [`${src}/stdio.ts`]: "import { open } from './stores/sqlite/open.ts'" })
  assert.deepEqual(described(checkPortable(files)), [
    `${open}: Cannot load "node:sqlite" here: only ${src}/sqlite.ts may, and this is reached by ${src}/stdio.ts > ${open}`,
  ])
})

test('checkPortable: a package that is bundled is followed', () => {
  const files = sample({
    ...good,
    'packages/base/package.json': JSON.stringify({
      name: '@trunkline/base',
      private: true,
      exports: { './lock': './src/lock.ts' },
    }),
    'packages/base/src/lock.ts': "import 'node:fs'",
    [`${src}/client/tools.ts`]: "import { lock } from '@trunkline/base/lock'",
  })
  assert.deepEqual(described(checkPortable(files)), [
    `packages/base/src/lock.ts:1: Cannot import "node:fs": browsers reach this file by ${src}/client.ts > ${src}/client/tools.ts > packages/base/src/lock.ts`,
  ])
})
