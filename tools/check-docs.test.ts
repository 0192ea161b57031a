import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDecisions, checkIndexes, checkLinks } from './check-docs.ts'
import { described, sample } from './lib/sample.ts'

test('checkIndexes: a page is listed by the README of its folder, and that by the one above', () => {
  const pages = {
    'docs/README.md': '[a](a.md) [api](api/README.md)',
    'docs/a.md': '',
    'docs/api/README.md': '[b](b.md)',
  }
  assert.deepEqual(checkIndexes(sample({ ...pages, 'docs/api/b.md': '' })), [])
})

test('checkIndexes: a page that no index lists is a problem; a mention in code or elsewhere does not count', () => {
  const pages = sample({
    'docs/README.md': '`[a](a.md)`',
    'docs/a.md': '[c](api/c.md)',
    'docs/api/README.md': '',
    'docs/api/c.md': '',
  })
  assert.deepEqual(described(checkIndexes(pages)), [
    'docs/a.md: "docs/README.md" does not link to this page',
    'docs/api/README.md: "docs/README.md" does not link to this page',
    'docs/api/c.md: "docs/api/README.md" does not link to this page',
  ])
})

test('checkLinks: files, headings and addresses elsewhere pass', () => {
  const pages = sample({
    'docs/a.md': '[b](b.md#calls-with-a-key-1) [own](#one) [web](https://a.example/x.md) ![c](c.png)\n# One\n',
    'docs/b.md': '## Calls with a `key`\n## Calls with a key\n',
  })
  assert.deepEqual(
    checkLinks(pages, (path) => path === 'docs/c.png'),
    [],
  )
})

test('checkLinks: a file that is gone and a heading that a page lacks are problems, with their lines', () => {
  const pages = sample({
    'README.md': 'Text\n[a](docs/a.md#two)\n[b](docs/gone.md)\n<img src="no.png">\n',
    'docs/a.md': '# One\n```\n# two\n```\n',
  })
  assert.deepEqual(described(checkLinks(pages, () => false)), [
    'README.md:2: This link leads nowhere: docs/a.md#two',
    'README.md:3: This link leads nowhere: docs/gone.md',
    'README.md:4: This link leads nowhere: no.png',
  ])
})

const decision = 'docs/decisions/2026-01-02-yaml-from-the-yaml-package.md'
const row = '| 2026-01-02 | [YAML from the `yaml` package](2026-01-02-yaml-from-the-yaml-package.md) | accepted |\n'
const text = '# YAML from the `yaml` package\n\nStatus: accepted\n\nBecause.\n'

test('checkDecisions: a decision named by its title, with a status and a row, passes', () => {
  assert.deepEqual(checkDecisions(sample({ 'docs/decisions/README.md': row, [decision]: text })), [])
})

test('checkDecisions: another name, no status and no row are problems', () => {
  const index = { 'docs/decisions/README.md': row }
  const problemsOf = (path: string, content: string) => described(checkDecisions(sample({ ...index, [path]: content })))
  assert.match(problemsOf(decision, text.replace('YAML', 'TOML'))[0] ?? '', /The name does not follow the title/)
  assert.match(problemsOf(decision, text.replace('accepted', 'perhaps'))[0] ?? '', /Write "Status: accepted"/)
  const superseded = text.replace('accepted', 'superseded by [another](other.md)')
  assert.match(
    problemsOf(decision, superseded)[0] ?? '',
    /lacks this row: .* superseded by \[another\]\(other.md\) \|$/,
  )
})
