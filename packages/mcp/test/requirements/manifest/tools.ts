import type { Requirements } from '../requirement.ts'

export const tools = {
  'tools/list: what a tool is': {
    says: 'Every tool is listed by name with an input schema of type "object"',
    rules: ['P132', '1.6'],
  },
  'tools/list: order': {
    says: 'Tools are listed in the same order every time, and the same on every connection',
    rules: ['P15', 'P131'],
  },
  'tools/list: schemas are kept': {
    says: 'A client hands on every keyword of an input schema, those it does not know included',
    rules: ['P164', '3.5'],
  },
  'tools/list: hints': {
    says: 'Hints about what a tool does are listed from the revision on that has them',
    rules: ['L36', '1.6'],
    first: '2025-03-26',
  },
  'tools/list: no hints': {
    says: 'The first revision lists no hints about what a tool does',
    rules: ['L39'],
    last: '2024-11-05',
  },
  'tools/list: titles and _meta': {
    says: 'A tool is listed with its title and its _meta from the revision on that has them',
    rules: ['L28', '1.6', '3.5'],
    first: '2025-06-18',
  },
  'tools/list: no titles': {
    says: 'Revisions without titles and _meta list tools without them',
    rules: ['3.5'],
    last: '2025-03-26',
  },
  'tools/list: icons': {
    says: 'A tool is listed with its icons from the revision on that has them',
    rules: ['L25', '3.5'],
    first: '2025-11-25',
  },
  'tools/list: no icons': {
    says: 'Revisions without icons list tools without them',
    rules: ['3.5'],
    last: '2025-06-18',
  },
  'tools/list: object output schemas': {
    says: 'An output schema with an object at its root is listed from the revision on that has output schemas',
    rules: ['L27', '3.5'],
    first: '2025-06-18',
  },
  'tools/list: no other output schemas': {
    says: 'Revisions whose structured content is an object list no output schema with another root',
    rules: ['P190', '3.5'],
    last: '2025-11-25',
  },
  'tools/list: any output schema': {
    says: 'The newest revision lists output schemas with any root',
    rules: ['1.6', '3.5'],
    first: '2026-07-28',
  },
  'tools/call: text': {
    says: 'A tool is called by name with its arguments and answers with content',
    rules: ['P134', '1.3'],
  },
  'tools/call: no arguments': {
    says: 'A call may leave the arguments out',
    rules: ['1.3'],
  },
  'tools/call: text in any script': {
    says: 'Text arrives as it was sent, whatever characters it has, line breaks included',
    rules: ['P2', 'P80'],
  },
  'tools/call: unknown tool': {
    says: 'A call of a tool that is not there is refused with -32602',
    rules: ['P37', '1.7'],
  },
  'tools/call: bad arguments are a result': {
    says: 'Arguments that the input schema does not allow are reported as an isError result, for the model to read',
    rules: ['P37', 'P137', 'L25'],
    first: '2025-11-25',
  },
  'tools/call: bad arguments are refused': {
    says: 'Before they were a result, arguments that the input schema does not allow are refused with -32602',
    rules: ['P137', '1.6'],
    last: '2025-06-18',
  },
  'tools/call: a failing tool': {
    says: 'What a tool throws for its caller to read is an isError result, not a protocol error',
    rules: ['P37', 'P138'],
  },
  'tools/call: a bug': {
    says: 'What a tool throws by mistake is an isError result that tells nothing of the inside',
    rules: ['P37', 'P137'],
  },
  'tools/call: an error of the author': {
    says: 'A protocol error that a tool throws on purpose reaches the caller with code, message and data',
    rules: ['P7', 'P34'],
  },
  'tools/call: structured content': {
    says: 'A structured object travels as structuredContent, and as text for those who do not read it',
    rules: ['P133', 'P134', 'L27'],
    first: '2025-06-18',
  },
  'tools/call: only text': {
    says: 'Revisions without structured content get its text alone',
    rules: ['3.5'],
    last: '2025-03-26',
  },
  'tools/call: any structured content': {
    says: 'Structured content may be any JSON value, null included',
    rules: ['P133', '1.6'],
    first: '2026-07-28',
  },
  'tools/call: only structured objects': {
    says: 'Structured content that is no object travels as text alone in revisions that want an object',
    rules: ['P190', '3.5'],
    last: '2025-11-25',
  },
  'tools/call: output that breaks its schema': {
    says: 'A server does not send structured content that its output schema forbids; the call fails with -32603',
    rules: ['P133', 'L27'],
  },
  'tools/call: client checks output': {
    says: 'A client that has seen the output schema refuses structured content that breaks it',
    rules: ['P133', 'L27'],
    first: '2025-06-18',
  },
  'tools/call: isError is no rejection': {
    says: 'A client hands an isError result to its caller like any other result',
    rules: ['P138'],
  },
  'tools/call: no tasks': {
    says: 'A server that does not declare tasks serves a call that asks for one like any other',
    rules: ['L13', '1.5'],
    first: '2025-11-25',
    last: '2025-11-25',
  },
  'tools/call: at most once': {
    says: 'A call that is refused is not sent again',
    rules: ['P37'],
  },
} as const satisfies Requirements
