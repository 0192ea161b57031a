import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shellScripts } from './shell-scripts.ts'

test('shellScripts: PowerShell asks for the line up to the cursor, and splits candidates at the tab', () => {
  assert.match(
    shellScripts.powershell,
    /^# .*Invoke-Expression\nRegister-ArgumentCompleter -Native -CommandName trunkline/,
  )
  assert.match(shellScripts.powershell, /trunkline completion --line \$line 2>\$null/)
  assert.match(shellScripts.powershell, /-split "`t", 2/)
  // a prompt that ends in a space completes the next word
  assert.match(shellScripts.powershell, /PadRight\(\$position\)/)
})
