import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { installHome as home, whyNone } from '../../../test/install-home.ts'
import { valueAt } from '../../config/document/document.ts'
import { readJson } from '../../config/document/json.ts'

/** A file of each client with a comment, a server that the host runs, one that is off and one that is not the host's. */
const commented: {
  readonly [client: string]: {
    readonly file: string
    readonly key: string
    readonly off: string
    readonly text: string
  }
} = {
  zed: {
    file: '.config/zed/settings.json',
    key: 'context_servers',
    off: '"enabled": false',
    text: `// Zed settings
{
  "theme": "One Dark", // at night
  "context_servers": {
    "Notes": { "command": "notes", "env": { "TOKEN": "x" }, "timeout": 30 },
    "off": { "command": "shop", "enabled": false },
    "mine": { "command": "mine" },
  },
}
`,
  },
  cline: {
    file: '.cline/data/settings/cline_mcp_settings.json',
    key: 'mcpServers',
    off: '"disabled": true',
    text: `{
  "mcpServers": {
    // asked for less
    "Notes": { "transport": { "type": "stdio", "command": "notes", "env": { "TOKEN": "x" } }, "autoApprove": ["read"] },
    "off": { "command": "shop", "disabled": true },
    "mine": { "command": "mine" }
  }
}
`,
  },
  junie: {
    file: '.junie/mcp/mcp.json',
    key: 'mcpServers',
    off: '"enabled": false',
    text: `{
    "mcpServers": {
        "Notes": { "command": "notes", "env": { "TOKEN": "x" } }, // mine
        "off": { "command": "shop", "enabled": false },
        "mine": { "command": "mine" }
    }
}`,
  },
  'copilot-cli': {
    file: '.copilot/mcp-config.json',
    key: 'mcpServers',
    off: '"type": "local"',
    text: `{
  /* kept by hand */
  "mcpServers": {
    "Notes": { "type": "local", "command": "notes", "env": { "TOKEN": "x" }, "tools": ["read"] },
    "off": { "type": "local", "command": "shop", "tools": ["*"] },
    "mine": { "type": "local", "command": "mine", "tools": ["*"] }
  }
}
`,
  },
}

for (const [client, { file: path, key, off, text }] of Object.entries(commented)) {
  describe(`connecting ${client}`, () => {
    /** A home with the file of this client, and for Copilot CLI the one that turns a server off. */
    function theirs(content = text) {
      const at = home()
      const file = join(at.path, path)
      at.write(file, content)
      if (client === 'copilot-cli')
        at.write(join(at.path, '.copilot/settings.json'), '{ "disabledMcpServers": ["off"] }')
      return { ...at, file, readFile: () => at.read(file), [Symbol.dispose]: () => at[Symbol.dispose]() }
    }
    const documentOf = (content: string) => readJson('f', content).value
    const entryIn = (content: string, name: string) => valueAt(documentOf(content), [key, name])

    it('puts the host in the place of its server and keeps comments, other entries and one that is off', async () => {
      using at = theirs()
      const { takenOut, outside = [] } = await at.install(client)
      assert.deepEqual(takenOut, ['Notes'])
      assert.deepEqual(
        outside.map(({ name, why }) => [name, why]),
        [
          ['off', 'it is disabled there'],
          ['mine', whyNone],
        ],
      )
      const args = ['/opt/tl.js', 'stdio', '--client', client, '--server', 'notes']
      const more = client === 'copilot-cli' ? { type: 'local', tools: ['*'] } : {}
      assert.deepEqual(entryIn(at.readFile(), 'Notes'), { ...more, command: '/usr/bin/node', args })
      const others = (content: string) => content.split('\n').filter((line) => !line.includes('"Notes"'))
      const kept = others(text)
      assert.deepEqual(
        others(at.readFile()).filter((line) => kept.includes(line)),
        kept,
      )
      assert.ok(at.readFile().includes(off))
    })

    it('a second time changes nothing, and undone leaves every byte as it was', async () => {
      using at = theirs()
      await at.install(client)
      const first = at.readFile()
      await at.install(client)
      assert.equal(at.readFile(), first)
      await at.undo(client)
      assert.equal(at.readFile(), text)
    })

    it('undone in a file that the client wrote anew puts the entry back as it stood there', async () => {
      using at = theirs()
      await at.install(client)
      at.write(at.file, JSON.stringify(documentOf(at.readFile()), null, 4))
      await at.undo(client)
      assert.deepEqual(entryIn(at.readFile(), 'Notes'), entryIn(text, 'Notes'))
      assert.deepEqual(entryIn(at.readFile(), 'mine'), entryIn(text, 'mine'))
    })

    it('makes the file where there is none, and undone leaves no folder behind', async () => {
      using at = home()
      await at.install(client)
      assert.deepEqual(readdirSync(at.path).sort(), [path.split('/')[0], '.local'].sort())
      assert.ok(entryIn(at.read(join(at.path, path)), 'trunkline'))
      await at.undo(client)
      assert.deepEqual(readdirSync(at.path), ['.local'])
    })
  })
}

describe('a client with several files', () => {
  it('is connected in the file that exists: Cline in that of an earlier version, OpenCode in opencode.jsonc', async () => {
    using at = home()
    const former = join(
      at.path,
      '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    )
    at.write(former, '{}')
    const jsonc = join(at.path, '.config/opencode/opencode.jsonc')
    at.write(jsonc, '{}')
    assert.equal((await at.install('cline')).file, former)
    assert.equal((await at.install('opencode')).file, jsonc)
    await at.undo('cline')
    await at.undo('opencode')
    assert.deepEqual([at.read(former), at.read(jsonc)], ['{}', '{}'])
  })
})
