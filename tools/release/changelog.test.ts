import assert from 'node:assert/strict'
import { test } from 'node:test'
import { releaseChangelog } from './changelog.ts'

const of = { version: '0.2.0', date: '2026-12-01' }

test('releaseChangelog: what was unreleased stands under the version, and a new list begins', () => {
  const text = '# Changes\n\n## Unreleased\n\n- Faster\n\n## 0.1.0\n\n- First\n'
  const released = releaseChangelog(text, of)
  assert.equal(
    released.text,
    '# Changes\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- Faster\n\n## 0.1.0\n\n- First\n',
  )
  assert.equal(released.notes, '- Faster')
})

test('releaseChangelog: without changes there is no release', () => {
  assert.throws(() => releaseChangelog('## Unreleased\n\n## 0.1.0\n\n- First\n', of), /nothing stands under/)
  assert.throws(() => releaseChangelog('# Changes\n', of), /has no "## Unreleased"/)
})
