import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demandOf } from '../shared/parse-challenge.ts'
import { bindsTokens, type ScopeInputs, scopesToRequest } from './scopes-to-request.ts'

const resource = { resource: 'https://mcp.example.com', scopes: ['offered'], bindsTokens: false }
const kept = { accessToken: 't', requested: ['before'], granted: ['before'] }

function scopes(header: string | null, more: Partial<ScopeInputs> = {}, isStepUp = false) {
  const need = { demand: demandOf(header), isStepUp }
  return scopesToRequest({ found: { resource }, need, kept: undefined, own: undefined, ...more })
}

test('scopesToAskFor: those the server asks for, or else those it offers, or else none', () => {
  assert.deepEqual(scopes('Bearer scope="asked"'), ['asked'])
  assert.deepEqual(scopes('Bearer'), ['offered'])
  assert.deepEqual(scopes(null, { found: { resource: { ...resource, scopes: undefined } } }), [])
})

test('scopesToAskFor: those of the user are added to those asked for, and replace those offered', () => {
  assert.deepEqual(scopes('Bearer scope="asked"', { own: ['own'] }), ['own', 'asked'])
  assert.deepEqual(scopes('Bearer', { own: ['own'] }), ['own'])
})

test('scopesToAskFor: nothing that was asked for before is given up', () => {
  assert.deepEqual(scopes('Bearer scope="asked"', { kept }, true), ['before', 'asked'])
})

test('scopesToAskFor: asking for what was given already is of no use', () => {
  const again = () => scopes('Bearer scope="before"', { kept }, true)
  assert.throws(again, { problem: 'refused', error: 'insufficient_scope' })
  assert.deepEqual(scopes('Bearer scope="before"', { kept: { ...kept, granted: [] } }, true), ['before'])
  assert.deepEqual(scopes('Bearer scope="before"', { kept }), ['before'])
})

function binds(
  header: string | null,
  { key, required, offered }: { key?: boolean; required?: boolean; offered?: string[] } = {},
) {
  const authorizationServer = {
    issuer: 'https://a.example.com',
    ...(offered && { dpop_signing_alg_values_supported: offered }),
  }
  const found = { resource: { ...resource, bindsTokens: required ?? false }, authorizationServer }
  return bindsTokens(found, { demand: demandOf(header) }, key ? { ...kept, key: {} } : undefined)
}

test('bindsTokens: when the server wants it, or takes it and the authorization server can do it', () => {
  assert.equal(binds('Bearer'), false)
  assert.equal(binds(null, { offered: ['ES256'] }), false)
  assert.equal(binds('Bearer', { required: true }), true)
  assert.equal(binds('Bearer', { key: true }), true)
  assert.equal(binds('DPoP'), true)
  assert.equal(binds('DPoP, Bearer'), false)
  assert.equal(binds('DPoP, Bearer', { offered: ['RS256'] }), false)
  assert.equal(binds('DPoP, Bearer', { offered: ['ES256'] }), true)
})
