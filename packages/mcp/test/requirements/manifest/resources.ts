import type { Requirements } from '../requirement.ts'

export const resources = {
  'resources/list: what a resource is': {
    says: 'Every resource is listed by URI and name, those that a template stands for included',
    rules: ['1.3', '1.6'],
  },
  'resources/templates/list: what a template is': {
    says: 'Every template is listed by its RFC 6570 text and a name',
    rules: ['1.3', '1.6'],
  },
  'resources/list: plain': {
    says: 'Before titles, resources and templates are listed without title, icons and _meta',
    rules: ['3.5', '1.6'],
    last: '2025-03-26',
  },
  'resources/list: titles and _meta': {
    says: 'Resources and templates are listed with title and _meta from the revision on that has them',
    rules: ['3.5', 'L28'],
    first: '2025-06-18',
  },
  'resources/list: no icons': {
    says: 'Revisions without icons list resources and templates without them',
    rules: ['3.5'],
    last: '2025-06-18',
  },
  'resources/list: icons': {
    says: 'Resources and templates are listed with icons from the revision on that has them',
    rules: ['3.5', 'L25'],
    first: '2025-11-25',
  },
  'resources/list: annotations and size': {
    says: 'A resource is listed with its size, and with audience and priority',
    rules: ['1.6'],
  },
  'resources/read: text': {
    says: 'Text is read as text, with its URI and its type',
    rules: ['P141', '1.3'],
  },
  'resources/read: bytes': {
    says: 'Bytes are read as base64',
    rules: ['P140', 'P141'],
  },
  'resources/read: several': {
    says: 'One resource may have several contents, each text or bytes',
    rules: ['P141'],
  },
  'resources/read: by template': {
    says: 'A URI that matches a template is read with the variables it has',
    rules: ['1.3', 'P140'],
  },
  'resources/read: exact before template': {
    says: 'A resource of its own is read rather than a template that matches as well',
    rules: ['1.3'],
  },
  'resources/read: not found': {
    says: 'A resource that is not there is refused with -32002 and its URI',
    rules: ['1.7', '3.5'],
    last: '2025-11-25',
  },
  'resources/read: not found, newly': {
    says: 'A resource that is not there is refused with -32602 and its URI, never with -32002 or with no contents',
    rules: ['P33', 'P38', '3.5'],
    first: '2026-07-28',
  },
  'resources/read: old refusals are understood': {
    says: 'A client passes on -32002 from a server that still sends it',
    rules: ['P33', 'P32'],
  },
  'resources/read: failure': {
    says: 'A resource that fails is refused with -32603, in words meant for the caller',
    rules: ['P38'],
  },
  'resources/read: a bug': {
    says: 'A resource that fails by mistake is refused with -32603, and nothing of the inside is told',
    rules: ['P38', 'P140'],
  },
  'resources/read: _meta of contents': {
    says: 'Contents keep their _meta from the revision on that has it',
    rules: ['L28', '1.6'],
    first: '2025-06-18',
  },
  'resources/read: no _meta of contents': {
    says: 'Revisions without _meta on contents do not get it',
    rules: ['1.6', '3.5'],
    last: '2025-03-26',
  },
} as const satisfies Requirements
