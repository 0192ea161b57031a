import type { ClientId, Fact } from './client.ts'

/** Treatment of a part of a tool's input schema by a client, or by the model behind it. */
export interface SchemaRule {
  /** These keywords: at the root of the schema, or anywhere in it; or a list without a schema of its items. */
  readonly about: 'root-keywords' | 'keywords' | 'array-without-items'
  readonly keywords?: readonly string[]
  /** All tools of the server are refused, this tool is, or these keywords are taken out. */
  readonly outcome: 'server-refused' | 'tool-refused' | 'keywords-dropped'
}

const unions = ['allOf', 'anyOf', 'oneOf']

/** Known treatment of schemas by each client; that of others is unknown. */
export const schemaRules: { readonly [Id in ClientId]?: readonly Fact<SchemaRule>[] } = {
  'claude-code': [
    {
      source: 'https://github.com/anthropics/claude-code/issues/95504',
      on: '2026-11-15',
      value: { about: 'root-keywords', keywords: [...unions, 'if'], outcome: 'tool-refused' },
    },
  ],
  'claude-desktop': [
    {
      source: 'https://github.com/marianfoo/mcp-sap-docs/pull/51',
      on: '2026-05-21',
      value: { about: 'root-keywords', keywords: unions, outcome: 'server-refused' },
    },
  ],
  opencode: [
    {
      source: 'https://github.com/redhat-et/ripwire/issues/48',
      on: '2026-09-07',
      value: { about: 'root-keywords', keywords: unions, outcome: 'server-refused' },
    },
  ],
  vscode: [
    {
      source: 'https://github.com/microsoft/vscode/issues/284536',
      on: '2025-12-19',
      value: { about: 'array-without-items', outcome: 'tool-refused' },
    },
  ],
  'gemini-cli': [
    {
      source: 'https://github.com/google-gemini/gemini-cli/pull/400',
      on: '2025-05-17',
      value: { about: 'keywords', keywords: ['additionalProperties', '$schema'], outcome: 'keywords-dropped' },
    },
  ],
  codex: [
    {
      source: 'https://github.com/anomalyco/opencode/pull/32489',
      on: '2026-06-16',
      value: { about: 'keywords', keywords: ['pattern', 'minimum', 'maxItems'], outcome: 'keywords-dropped' },
    },
  ],
}
