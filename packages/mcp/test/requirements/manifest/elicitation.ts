import type { Requirements } from '../requirement.ts'

export const elicitation = {
  'elicitation: form': {
    says: 'A handler gets what the user filled in',
    rules: ['L29', 'P150', '1.3'],
    first: '2025-06-18',
  },
  'elicitation: not before': {
    says: 'A tool that has to ask the user fails where there is no elicitation, whatever the client could do',
    rules: ['1.3'],
    last: '2025-03-26',
  },
  'elicitation: decline and cancel': {
    says: 'A user who declines or cancels is told apart from one who answers, and the handler may go on',
    rules: ['P113', 'P155', 'L29'],
    first: '2025-06-18',
  },
  'elicitation: flat forms': {
    says: 'A form is a flat object of texts, numbers, booleans and choices',
    rules: ['P150', 'L29'],
    first: '2025-06-18',
  },
  'elicitation: no mode': {
    says: 'The first revision with forms has no modes',
    rules: ['L29', '1.3'],
    first: '2025-06-18',
    last: '2025-06-18',
  },
  'elicitation: form mode': {
    says: 'A form says that it is one',
    rules: ['P149', '1.3'],
    first: '2025-11-25',
  },
  'elicitation: missing mode': {
    says: 'A client takes a question without a mode for a form',
    rules: ['P149'],
    first: '2025-06-18',
  },
  'elicitation: boolean defaults': {
    says: 'The first revision with forms has defaults for booleans alone',
    rules: ['L29', '1.6'],
    first: '2025-06-18',
    last: '2025-06-18',
  },
  'elicitation: defaults': {
    says: 'All kinds of fields have defaults, and a client fills them in where the user did not',
    rules: ['L23', 'P153', '1.6'],
    first: '2025-11-25',
  },
  'elicitation: named choices': {
    says: 'Choices with titles travel as enum and enumNames in the first revision with forms',
    rules: ['L29', '1.6'],
    first: '2025-06-18',
    last: '2025-06-18',
  },
  'elicitation: titled choices': {
    says: 'Choices with titles travel as titled alternatives',
    rules: ['L23', 'P150', '1.6'],
    first: '2025-11-25',
  },
  'elicitation: plain choices': {
    says: 'Choices without titles travel as an enum',
    rules: ['L23', 'P150'],
    first: '2025-06-18',
  },
  'elicitation: several choices': {
    says: 'A user may choose several of a list',
    rules: ['L23', 'P150', '1.6'],
    first: '2025-11-25',
  },
  'elicitation: no several choices': {
    says: 'A tool that lets the user choose several fails where forms have no such field',
    rules: ['L29', '1.6'],
    first: '2025-06-18',
    last: '2025-06-18',
  },
  'elicitation: old choices are understood': {
    says: 'A client understands enumNames as titled choices',
    rules: ['L23', '1.6'],
    first: '2025-06-18',
  },
  'elicitation: client checks the form': {
    says: 'A client does not send what the form does not allow',
    rules: ['P153', 'P155'],
    first: '2025-06-18',
  },
  'elicitation: server checks the form': {
    says: 'What the form does not allow does not reach the handler',
    rules: ['P155', 'P153'],
    first: '2025-06-18',
  },
  'elicitation: url': {
    says: 'A user is asked to visit a page, and agreeing to it lets the handler go on',
    rules: ['L21', 'P156', 'P154'],
    first: '2025-11-25',
  },
  'elicitation: url has an id': {
    says: 'A visit has an id of its own in the one revision that wants it',
    rules: ['L21', '1.3'],
    first: '2025-11-25',
    last: '2025-11-25',
  },
  'elicitation: url has no id': {
    says: 'A visit has no id of its own any more',
    rules: ['1.3', 'P156'],
    first: '2026-07-28',
  },
  'elicitation: no url': {
    says: 'A tool that has to send the user to a page fails where there are only forms',
    rules: ['L29', '1.3'],
    first: '2025-06-18',
    last: '2025-06-18',
  },
  'elicitation: undeclared mode': {
    says: 'A client refuses a question in a mode that it did not declare with -32602',
    rules: ['L22', 'P148'],
    first: '2025-11-25',
  },
  'elicitation: url required': {
    says: 'A call refused with -32042 is made again once the user has visited the pages it names',
    rules: ['L21', 'L22', '1.7'],
    first: '2025-11-25',
    last: '2025-11-25',
  },
} as const satisfies Requirements
