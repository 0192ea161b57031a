import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withoutVersions } from './client-program.ts'

it('withoutVersions: a program is the same after an update, and another program is another one', () => {
  const updates = [
    ['/home/ann/.nvm/versions/node/v22.3.0/bin/node', '/home/ann/.nvm/versions/node/v24.11.1/bin/node'],
    ['/snap/code/172/usr/share/code/code', '/snap/code/x3/usr/share/code/code'],
    ['/tmp/.mount_CursorAb12Cd/usr/bin/cursor', '/tmp/.mount_CursorZz99Yy/usr/bin/cursor'],
    ['/opt/homebrew/Cellar/node/24.1.0_1/bin/node', '/opt/homebrew/Cellar/node/24.2.0/bin/node'],
    ['/home/ann/.local/share/claude/versions/1.0.3', '/home/ann/.local/share/claude/versions/1.0.4-beta.1'],
    [
      '/home/ann/.vscode/extensions/anthropic.claude-code-1.0.3/claude',
      '/home/ann/.vscode/extensions/anthropic.claude-code-2.0.0/claude',
    ],
    [
      '/home/ann/.vscode-server/cli/servers/Stable-0ee08df0cf4527e40edc9aa28f4b5bd38bbff2b2/server/node',
      '/home/ann/.vscode-server/cli/servers/Stable-f1a4fb101478ce6ec82fe9627c43efbf9e98c813/server/node',
    ],
  ] as const
  for (const [before, after] of updates) assert.equal(withoutVersions(before), withoutVersions(after))
  const others = [
    ['/snap/code/172/usr/share/code/code', '/snap/evil/172/usr/share/code/code'],
    ['/usr/bin/node /home/ann/agent.js', '/usr/bin/node /home/ann/other.js'],
    ['/tmp/.mount_CursorAb12Cd/usr/bin/cursor', '/tmp/cursor'],
    ['/opt/tool2/bin/tool', '/opt/tool3/bin/tool'],
  ] as const
  for (const [one, other] of others) assert.notEqual(withoutVersions(one), withoutVersions(other))
})
