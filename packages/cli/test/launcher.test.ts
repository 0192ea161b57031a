import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sourcesPath } from './command-path.ts'
import { runCli } from './run-cli.ts'

/** The files of this repository that a run has loaded, as V8 tells. */
async function loadedBy(args: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-'))
  try {
    const { exit } = await runCli(args, { command: sourcesPath, env: { NODE_V8_COVERAGE: folder } })
    assert.equal(exit, 0)
    return readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a command loads no other command, and the host only where it is used', async () => {
  const loaded = await loadedBy(['completion', 'bash'])
  const commands = loaded.filter((url) => /\/cli\/src\/commands\//.test(url))
  assert.deepEqual(
    commands.map((url) => url.split('/').at(-1)),
    ['completion.ts'],
  )
  assert.deepEqual(
    loaded.filter((url) => /\/host\/src\/(?!text)/.test(url)),
    [],
  )
  assert.deepEqual(
    loaded.filter((url) => /\/mcp\/src\/(?:server|client)\//.test(url)),
    [],
  )
})
