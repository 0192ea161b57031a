import type { Fields } from '@trunkline/mcp'

const example = {
  steps: [
    { id: 'issues', call: 'tracker__list_issues', arguments: { state: 'open' } },
    {
      id: 'urgent',
      filter: '/issues/items',
      where: { properties: { priority: { const: 'high' } }, required: ['priority'] },
    },
    {
      id: 'notes',
      map: '/urgent',
      as: 'issue',
      steps: [
        {
          id: 'save',
          call: 'notes__save',
          arguments: { title: { $text: ['Issue ', { $from: '/issue/id' }] }, body: { $from: '/issue/title' } },
        },
      ],
    },
  ],
  output: { $from: '/notes' },
}

const description = [
  'Calls several tools in one go and returns only what is wanted in the end; what comes in between stays in the host.',
  'A plan has "steps", done in order. Each has an "id" and one of: "call" (a tool, with "arguments"), "filter" (a JSON',
  'Pointer to a list, with "where", a JSON Schema), "map" (a pointer to a list, with "as" and "steps" for each item,',
  '"atOnce"), "parallel" (steps that do not see each other), "steps" (a group). { "$from": "/id/member" } refers to an',
  'earlier step, { "$text": [parts] } joins texts, { "$value": x } is x as it is. The value of a call is its structured',
  'content where the tool describes its output, else its text; "result" may say "structured", "text", "json" or "content".',
  '"onError" is "stop", { "use": value } or, for map, "skip". Everything is checked before the first call.',
  `Example: ${JSON.stringify(example)}`,
].join(' ')

/** The tool with which a model runs a plan. */
export const pipeTool = {
  name: 'pipe',
  title: 'Run a plan of calls',
  description,
  inputSchema: {
    type: 'object',
    properties: {
      plan: { type: 'object', description: 'The steps, and the output.' },
      check: { type: 'boolean', description: 'Only check the plan; nothing is called. Default: false.' },
      report: { type: 'string', description: 'Instead of a plan: what the run with this id did, or "last".' },
    },
    additionalProperties: false,
  },
} as const satisfies Fields
