import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeServer } from '@trunkline/code'
import { filesServer } from '@trunkline/files'
import { gitServer } from '@trunkline/git'
import { githubServer } from '@trunkline/github'
import { type Client, connect } from '@trunkline/mcp'
import { bundledServers, presetClasses } from '../src/host/bundled-servers.ts'

/** The class that the hints of a tool stand for. */
const classOf = ({ readOnlyHint, destructiveHint }: { readOnlyHint?: boolean; destructiveHint?: boolean } = {}) =>
  readOnlyHint ? 'reads' : destructiveHint === false ? 'writes' : 'destroys'

test('bundledServers: each tool of a server has the class that its own hints say', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bundled-'))
  try {
    const directories = [folder]
    await using code = await codeServer({ directories })
    const servers: { readonly [name: string]: unknown } = {
      files: await filesServer({ directories }),
      git: await gitServer({ directories }),
      github: await githubServer({ token: 'none', apiUrl: 'http://127.0.0.1:9', repos: [] }),
      code: code.server,
    }
    assert.deepEqual(Object.keys(servers), Object.keys(bundledServers))
    for (const [name, preset] of Object.entries(bundledServers)) {
      await using client = (await connect(servers[name] as never)) as Client
      const tools = await client.tools.list().all()
      const found = Object.fromEntries(tools.map((tool) => [tool.name, classOf(tool.annotations)]))
      assert.deepEqual(found, presetClasses(preset), name)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
