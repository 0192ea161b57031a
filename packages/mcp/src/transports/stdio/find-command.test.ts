import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptOfShim } from './find-command.ts'

test('scriptOfShim: finds the script behind the command of an installed package', () => {
  const text =
    '@ECHO off\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\..\\tool\\bin\\run.js" %*\r\n'
  assert.equal(scriptOfShim(text, 'tool'), '..\\tool\\bin\\run.js')
})

test('scriptOfShim: finds the script of npx among those that it mentions', () => {
  const text = [
    'SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"',
    'SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"',
  ].join('\r\n')
  assert.equal(scriptOfShim(text, 'npx'), 'node_modules\\npm\\bin\\npx-cli.js')
})

test('scriptOfShim: a batch file of another kind has none', () => {
  assert.equal(scriptOfShim('@echo off\r\npython -m server %*\r\n', 'server'), undefined)
})
