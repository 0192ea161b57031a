import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProblem } from '../problem.ts'
import { readToml } from './toml.ts'

const sample = `# my settings
model = "best" # the default
mcp_servers.dotted.command = "a"

[mcp_servers.github]
command = "npx"
args = [
  "-y", # yes
  "server",
]

[mcp_servers.github.env]
TOKEN = 'abc'

[mcp_servers."we ird"]
url = "https://example.com"
http_headers = { "X-A" = "b", c.d = 1 }

[[history]]
at = 1979-05-27T07:32:00Z
[[history]]
at = 07:32:00
`

test('readToml: every way to write a table', () => {
  const { value, problems } = readToml('a.toml', sample)
  assert.deepEqual(problems, [])
  assert.deepEqual(value, {
    model: 'best',
    mcp_servers: {
      dotted: { command: 'a' },
      github: { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 'abc' } },
      'we ird': { url: 'https://example.com', http_headers: { 'X-A': 'b', c: { d: 1 } } },
    },
    history: [{ at: '1979-05-27T07:32:00Z' }, { at: '07:32:00' }],
  })
})

test('readToml: keys and headers have their lines, others that of the nearest', () => {
  const { lineOf } = readToml('a.toml', sample)
  assert.equal(lineOf(['model']), 2)
  assert.equal(lineOf(['mcp_servers']), 3)
  assert.equal(lineOf(['mcp_servers', 'github']), 5)
  assert.equal(lineOf(['mcp_servers', 'github', 'env', 'TOKEN']), 13)
  assert.equal(lineOf(['mcp_servers', 'github', 'nothing']), 5)
  assert.equal(lineOf(['mcp_servers', 'we ird', 'http_headers', 'X-A']), 17)
})

const broken = [
  ['a = 1\nb = \n', 'a.toml:2: is not TOML here (unspecified values are invalid)'],
  ['a = 1\na = 2\n', 'a.toml:2: is not TOML here (defining a key multiple times is invalid)'],
  ['[a\n', 'a.toml:1: is not TOML here'],
  [`a = ${'['.repeat(50_000)}`, 'a.toml:1: is nested deeper than 200; make it smaller or flatter'],
] as const

for (const [text, sentence] of broken) {
  test(`readToml: ${JSON.stringify(text.slice(0, 20))} names the line`, () => {
    const { value, problems } = readToml('a.toml', text)
    assert.deepEqual(value, {})
    assert.ok(problems.map(describeProblem).join('\n').startsWith(sentence), problems.map(describeProblem).join('\n'))
  })
}

test('readToml: a key named __proto__ is a key like any other', () => {
  const { value } = readToml('a.toml', '__proto__.polluted = true\n[constructor.prototype]\npolluted = true\n')
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor'])
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})
