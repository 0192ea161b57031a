import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import '../no-leaks.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
const tools = 200

test(`the compiler takes a chain of ${tools} tools with deep schemas, and knows the last as well as the first`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'many-tools-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tools.ts'), program())
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--extendedDiagnostics']
    const platform = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,esnext.disposable,dom']
    const compiler = [join(root, 'node_modules/.bin/tsc'), ...options, ...platform, join(folder, 'tools.ts')]
    // it fails when anything is wrong anywhere, and says what
    const { stdout } = await run(process.execPath, compiler, { cwd: folder }).catch((failure) => failure)
    assert.deepEqual(stdout.match(/^tools\.ts.*$/gm), null)
    // the number of types made from generic ones is the same on every machine
    const instantiations = Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1])
    assert.ok(instantiations < tools * 4_000, `${instantiations} instantiations`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function program(): string {
  const shape = 'a: z.string(), b: z.number().optional(), c: z.array(z.object({ d: z.enum(["x", "y"]) }))'
  const offer = (n: number): string =>
    `.tool('t${n}', { input: z.object({ ${shape}, n${n}: z.boolean() }) }, ({ a, n${n} }) => a + n${n})`
  return `
import { connect, server } from '@trunkline/mcp'
import { z } from 'zod'
const many = server({ name: 'many', version: '1' })
  ${Array.from({ length: tools }, (_, n) => offer(n)).join('\n  ')}
const client = await connect<typeof many>(many)
await client.tools.call('t0', { a: '', c: [], n0: true })
await client.tools.call('t${tools - 1}', { a: '', c: [], n${tools - 1}: true })
// @ts-expect-error: the first does not take what the last takes
await client.tools.call('t0', { a: '', c: [], n${tools - 1}: true })
// @ts-expect-error: there are no more
await client.tools.call('t${tools}', {})
`
}
