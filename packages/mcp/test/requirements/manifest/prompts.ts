import type { Requirements } from '../requirement.ts'

export const prompts = {
  'prompts/list: what a prompt is': {
    says: 'Every prompt is listed by name, with a description and the arguments it takes',
    rules: ['1.3', '1.6'],
  },
  'prompts/list: plain': {
    says: 'Before titles, prompts and their arguments are listed without title, icons and _meta',
    rules: ['3.5', '1.6'],
    last: '2025-03-26',
  },
  'prompts/list: titles and _meta': {
    says: 'Prompts and their arguments are listed with titles, and prompts with _meta, from the revision on that has them',
    rules: ['3.5', 'L28'],
    first: '2025-06-18',
  },
  'prompts/list: icons': {
    says: 'Prompts are listed with icons from the revision on that has them',
    rules: ['3.5', 'L25'],
    first: '2025-11-25',
  },
  'prompts/get: messages': {
    says: 'A prompt is filled in with its arguments and answers with messages and its description',
    rules: ['1.3', 'P143'],
  },
  'prompts/get: unknown prompt': {
    says: 'A prompt that is not there is refused with -32602',
    rules: ['P39', '1.7'],
  },
  'prompts/get: missing argument': {
    says: 'A prompt without an argument that it needs is refused with -32602',
    rules: ['P39'],
  },
  'prompts/get: arguments are text': {
    says: 'Arguments that are no text are refused with -32602',
    rules: ['P143', 'P39'],
  },
  'prompts/get: a bug': {
    says: 'A prompt that fails by mistake is refused with -32603, and nothing of the inside is told',
    rules: ['1.7'],
  },
  'prompts/get: images': {
    says: 'Images in prompts travel as base64 with their type',
    rules: ['P142', '1.6'],
  },
  'prompts/get: audio': {
    says: 'Audio in prompts travels as such from the revision on that has it',
    rules: ['P142', '1.6'],
    first: '2025-03-26',
  },
  'prompts/get: links': {
    says: 'Resource links in prompts travel as such from the revision on that has them',
    rules: ['1.6', '3.5'],
    first: '2025-06-18',
  },
  'completion: of a prompt': {
    says: 'The arguments of a prompt are completed',
    rules: ['P144', '1.3'],
  },
  'completion: of a template': {
    says: 'The variables of a template are completed',
    rules: ['P144', '1.3'],
  },
  'completion: at most 100': {
    says: 'At most 100 values are suggested, with how many there are and that there are more',
    rules: ['P144', '1.6'],
  },
  'completion: knows the other arguments': {
    says: 'What was filled in already is taken into account from the revision on that tells it',
    rules: ['L30', '1.3'],
    first: '2025-06-18',
  },
  'completion: unknown target': {
    says: 'Completing for a prompt or a template that is not there is refused with -32602',
    rules: ['P39', 'P144'],
  },
  'completion: nothing to suggest': {
    says: 'An argument without suggestions gets none',
    rules: ['P144'],
  },
} as const satisfies Requirements
