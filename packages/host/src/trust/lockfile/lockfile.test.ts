import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareWithLock, type OfferNow } from './compare.ts'
import { lockedServerOf } from './locked-server.ts'
import { parseLockfile } from './lockfile.ts'
import { renderLockfile } from './render.ts'

const hash = 'a'.repeat(64)
const servers = {
  zoo: { url: 'https://example.com/mcp', headers: ['Authorization'] },
  db: {
    command: ['node', `\${workspaceFolder}/db.js`],
    environment: ['REGION'],
    tools: { write: { class: 'writes', hash }, query: { class: 'reads', hash } },
  },
} as const

describe('renderLockfile', () => {
  it('is sorted, with one line for each tool', () => {
    assert.equal(
      renderLockfile(servers),
      `{
  "version": 1,
  "servers": {
    "db": {
      "command": ["node", "\${workspaceFolder}/db.js"],
      "environment": ["REGION"],
      "tools": {
        "query": { "class": "reads", "hash": "${hash}" },
        "write": { "class": "writes", "hash": "${hash}" }
      }
    },
    "zoo": {
      "url": "https://example.com/mcp",
      "headers": ["Authorization"]
    }
  }
}
`,
    )
  })

  it('is read back as it was', () => {
    const { servers: read, problems } = parseLockfile('trunkline.lock', renderLockfile(servers))
    assert.deepEqual(problems, [])
    assert.deepEqual(read, servers)
  })

  it('keeps a tool that is called like something every object has', () => {
    const odd = { db: { tools: JSON.parse(`{ "__proto__": { "class": "reads", "hash": "${hash}" } }`) } }
    const read = parseLockfile('trunkline.lock', renderLockfile(odd))
    assert.deepEqual(Object.keys(read.servers.db?.tools ?? {}), ['__proto__'])
  })
})

describe('parseLockfile', () => {
  it('names file, line and key of a mistake, and then nothing in it counts', () => {
    const text = renderLockfile(servers).replace('"class": "writes"', '"class": "harmless"')
    const { servers: read, problems } = parseLockfile('/work/trunkline.lock', text)
    assert.deepEqual(read, {})
    const [{ file, line, key, problem, fix } = assert.fail()] = problems
    assert.deepEqual([file, line, key], ['/work/trunkline.lock', 9, 'servers.db.tools.write.class'])
    assert.match(problem, /"harmless"/)
    assert.match(fix, /until then nothing in it counts/)
  })

  it('says so when it is no JSON, from another version, or merged with conflicts', () => {
    for (const text of ['{', '{ "version": 2 }', `<<<<<<< ours\n${renderLockfile(servers)}`]) {
      const read = parseLockfile('trunkline.lock', text)
      assert.ok(read.problems.length > 0, text)
      assert.deepEqual(read.servers, {})
    }
  })
})

describe('compareWithLock', () => {
  const lock = parseLockfile('trunkline.lock', renderLockfile({ db: servers.db }))
  const entry = { command: 'node', args: [`\${workspaceFolder}/db.js`], env: { REGION: 'secret' } }
  const query = { kind: 'tool', original: 'query', hash } as const
  const write = { kind: 'tool', original: 'write', hash } as const
  const different = (offers: Parameters<typeof compareWithLock>[1][number]['offers'], more: object = {}) =>
    compareWithLock(lock, [{ name: 'db', entry: { ...entry, ...more }, offers }])
      .filter(({ result }) => result !== 'same')
      .map(({ result, part, name, line }) => `${result} ${part} ${name} ${line}`)

  it('finds nothing where nothing changed, whatever the values of variables', () => {
    assert.deepEqual(different([query, write], { env: { REGION: 'another' } }), [])
  })

  it('finds definitions that changed, are new, are gone or unknown, and their lines', () => {
    assert.deepEqual(different([{ ...query, hash: 'b'.repeat(64) }, write]), ['changed tool query 8'])
    assert.deepEqual(different([query, write, { ...query, original: 'more' }]), ['new tool more 7'])
    assert.deepEqual(different([query]), ['changed tool write 9'])
    assert.deepEqual(different([query, { ...write, class: 'destroys' }]), ['changed tool write 9'])
    assert.deepEqual(different([query, write], { args: ['other.js'] }), ['changed command db 4'])
    assert.deepEqual(different('it does not start'), ['cannot tell server db 4'])
  })

  it('instructions of a server are locked like its tools', () => {
    const said = { kind: 'instructions', original: 'instructions', hash, class: 'reads' } as const
    const locked = lockedServerOf(entry, [said], undefined)
    const withText = parseLockfile('trunkline.lock', renderLockfile({ db: locked }))
    assert.deepEqual(withText.problems, [])
    const found = (offers: readonly OfferNow[]) =>
      compareWithLock(withText, [{ name: 'db', entry, offers }])
        .filter(({ result }) => result !== 'same')
        .map(({ result, part, line }) => `${result} ${part} ${line}`)
    assert.deepEqual(found([said]), [])
    assert.deepEqual(found([{ ...said, hash: 'b'.repeat(64) }]), ['changed instructions 8'])
    assert.deepEqual(found([]), ['changed instructions 8'])
    assert.deepEqual(different([query, write, said]), ['new instructions instructions 4'])
  })

  it('finds another package under the same version by its integrity, where a lock has one', () => {
    const program = 'npm:notes@1.0.0'
    const found = (locked: string | undefined, integrity: string) => {
      const of = lockedServerOf(entry, [], { program, ...(locked !== undefined && { integrity: locked }) })
      const written = parseLockfile('trunkline.lock', renderLockfile({ db: of }))
      assert.deepEqual(written.problems, [])
      return compareWithLock(written, [{ name: 'db', entry, offers: [], program, integrity }])
        .filter(({ result }) => result !== 'same')
        .map(({ part, result, why }) => `${part} ${result}: ${why}`)
    }
    assert.deepEqual(found('sha512-a', 'sha512-a'), [])
    assert.deepEqual(found(undefined, 'sha512-b'), [], 'a lock of an earlier version')
    assert.deepEqual(found('sha512-a', 'sha512-b'), [
      'program changed: runs npm:notes@1.0.0 with the integrity sha512-b, and sha512-a is locked',
    ])
  })

  it('knows servers that are in one of the two only', () => {
    const findings = compareWithLock(lock, [{ name: 'other', entry, offers: [] }])
    assert.deepEqual(
      findings.map(({ server, result }) => `${result} ${server}`),
      ['new other', 'changed db'],
    )
  })
})
