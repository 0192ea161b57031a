import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from './check-layers.ts'
import { described, sample } from './lib/sample.ts'

const manifest = JSON.stringify({
  imports: {
    '#stdio': { node: './src/stdio.ts', default: './src/no-stdio.ts' },
    '#auth': { node: './src/auth/node/platform.ts', default: './src/auth/no-platform.ts' },
  },
})

function importing(path: string, specifier: string) {
  return sample({
    'packages/mcp/package.json': manifest,
    [`packages/mcp/src/${path}`]: `import type { x } from '${specifier}'\n`,
  })
}

const leftward = [
  ['rpc/peer.ts', '../wire/errors.ts'],
  ['rpc/peer.ts', './pending.ts'],
  ['dialects/list.ts', '../model/methods.ts'],
  ['server/tools.ts', '../dialects/list.ts'],
  ['transports/http/session/session.ts', '../../../stores/events.ts'],
  ['auth/token.ts', '../stores/tokens.ts'],
  ['auth/client/discover.ts', '../shared/network.ts'],
  ['auth/client/discover.ts', './client.ts'],
  ['auth/client/discover.ts', '#auth'],
  ['extensions/tasks.ts', '../server/server.ts'],
  ['transports/stdio/process.ts', 'node:child_process'],
  ['index.ts', './server/server.ts'],
  ['index.ts', '#stdio'],
  ['server/tools.test.ts', '../client/client.ts'],
] as const

for (const [path, specifier] of leftward) {
  test(`checkLayers: ${path} may import ${specifier}`, () => {
    assert.deepEqual(checkLayers(importing(path, specifier)), [])
  })
}

const wrong = [
  ['wire/errors.ts', '../schema/check.ts', 'wire may not import schema'],
  ['rpc/peer.ts', '../model/methods.ts', 'rpc may not import model'],
  ['dialects/list.ts', '../server/server.ts', 'dialects may not import server'],
  ['server/tools.ts', '../client/tools.ts', 'server may not import client'],
  ['transports/memory.ts', '../server/server.ts', 'transports may not import server'],
  ['stores/memory.ts', '../rpc/peer.ts', 'stores may not import rpc'],
  ['auth/token.ts', '../model/types.ts', 'auth may not import model'],
  ['auth/client/tokens.ts', '../resource/claims.ts', 'client may not import resource'],
  ['auth/resource/issuer-keys.ts', '../client/discover.ts', 'resource may not import client'],
  ['auth/shared/scopes.ts', '../client/tokens.ts', 'shared may not import client'],
  ['client/connect.ts', '../index.ts', 'client may not import entry'],
  ['server/tools.ts', '../../../host/src/policy.ts', 'server may not import what lies outside the library'],
  ['schema/bridge.ts', 'zod', 'schema depends on no such package'],
] as const

for (const [path, specifier, reason] of wrong) {
  test(`checkLayers: ${path} may not import ${specifier}`, () => {
    assert.deepEqual(described(checkLayers(importing(path, specifier))), [
      `packages/mcp/src/${path}:1: Cannot import "${specifier}": ${reason}`,
    ])
  })
}

test('checkLayers: a folder that is no layer is reported', () => {
  assert.deepEqual(described(checkLayers(importing('misc/a.ts', './b.ts'))), [
    'packages/mcp/src/misc/a.ts:1: Cannot place "misc/": no layer has that name',
  ])
})

const twoPackages = {
  'packages/base/package.json': JSON.stringify({ name: '@trunkline/base', exports: { './slots': './src/slots.ts' } }),
  'packages/mcp/package.json': JSON.stringify({
    name: '@trunkline/mcp',
    exports: { '.': './src/index.ts', './client': './src/client.ts' },
  }),
  'packages/host/package.json': JSON.stringify({
    name: '@trunkline/host',
    exports: { '.': './src/index.ts' },
    dependencies: { '@trunkline/mcp': '1.0.0' },
  }),
}

function hostImporting(path: string, specifier: string) {
  const text = `import type { x } from '${specifier}'\n`
  return sample({ ...twoPackages, [`packages/host/${path}`]: text })
}

const hostMay = [
  ['src/clients/codex.ts', '../config/layers.ts'],
  ['src/config/toml.ts', 'toml-eslint-parser'],
  ['src/servers/bulkhead.ts', '@trunkline/mcp/client'],
  ['src/servers/bulkhead.ts', '../config/server.ts'],
  ['src/servers/bulkhead.ts', '@trunkline/base/slots'],
  ['src/policy/judge.ts', '../act/act.ts'],
  ['src/relay/sampling.ts', './terms/given.ts'],
  ['src/acts/sampling.ts', '../model/choose.ts'],
  ['src/acts/judge.ts', '../policy/judge.ts'],
  ['src/api/status.ts', '../acts/stack.ts'],
  ['src/index.ts', './api/status.ts'],
  ['src/config/layers.test.ts', '../api/status.ts'],
  ['test/story.test.ts', '@trunkline/mcp'],
] as const

for (const [path, specifier] of hostMay) {
  test(`checkLayers: the host's ${path} may import ${specifier}`, () => {
    assert.deepEqual(checkLayers(hostImporting(path, specifier)), [])
  })
}

const hostMayNot = [
  ['src/store/open.ts', '../config/layers.ts', 'store may not import config'],
  ['src/config/layers.ts', '../clients/cursor.ts', 'config may not import clients'],
  ['src/config/layers.ts', '../servers/bulkhead.ts', 'config may not import servers'],
  ['src/policy/judge.ts', '../acts/stack.ts', 'policy may not import acts'],
  ['src/policy/judge.ts', '../inbox/questions.ts', 'policy may not import inbox'],
  ['src/act/act.ts', '../policy/judge.ts', 'act may not import policy'],
  ['src/relay/terms/given.ts', '../sampling.ts', 'relay/terms may not import relay'],
  ['src/acts/judge.ts', '../api/status.ts', 'acts may not import api'],
  ['src/servers/bulkhead.ts', 'jsonc-parser', 'servers depends on no such package'],
  ['src/servers/bulkhead.ts', '@trunkline/mcp/wire', 'no such entry'],
  ['src/servers/bulkhead.ts', '@trunkline/base/none', 'no such entry'],
  ['test/story.test.ts', '@trunkline/mcp/src/index.ts', 'no such entry'],
  ['test/story.test.ts', '../../mcp/src/index.ts', 'use an entry of that package'],
] as const

for (const [path, specifier, reason] of hostMayNot) {
  test(`checkLayers: the host's ${path} may not import ${specifier}`, () => {
    assert.deepEqual(described(checkLayers(hostImporting(path, specifier))), [
      `packages/host/${path}:1: Cannot import "${specifier}": ${reason}`,
    ])
  })
}

test('checkLayers: a file beside the rooms of the host that is no entry of it is reported', () => {
  assert.deepEqual(described(checkLayers(hostImporting('src/strays.ts', './api/status.ts'))), [
    'packages/host/src/strays.ts:1: Cannot stand beside the folders: the host exports no such entry',
  ])
})

test('checkLayers: the base imports no other package, and its tests stand beside its entries', () => {
  const path = 'packages/base/src/slots.ts'
  const files = sample({
    ...twoPackages,
    [path]: "import type { x } from '@trunkline/mcp'\nimport { y } from 'node:fs'\n",
    'packages/base/src/slots.test.ts': '',
  })
  assert.deepEqual(described(checkLayers(files)), [
    `${path}:1: Cannot import "@trunkline/mcp": entry depends on no such package`,
  ])
})

const authoringMayNot = [
  ['src/wrap/x.ts', '../openapi/y.ts', 'wrap may not import openapi'],
  ['src/failure/x.ts', '../wrap/y.ts', 'failure may not import wrap'],
  ['src/checking/x.ts', '@trunkline/host', 'checking depends on no such package'],
] as const

for (const [path, specifier, reason] of authoringMayNot) {
  test(`checkLayers: in authoring ${path} may not import ${specifier}`, () => {
    const files = sample({ [`packages/authoring/${path}`]: `import type { x } from '${specifier}'\n` })
    assert.deepEqual(described(checkLayers(files)), [
      `packages/authoring/${path}:1: Cannot import "${specifier}": ${reason}`,
    ])
  })
}
