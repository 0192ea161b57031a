import type { Requirements } from '../requirement.ts'

/** Skills and apps: extensions that are resources with more said about them, in every revision. */
export const skillsAndApps = {
  'skills: declared': {
    says: 'A server with skills declares them, with its resources and with what else can be asked',
    rules: ['4.3'],
  },
  'skills: listed': {
    says: 'skills/list gives entries page by page: the address, the frontmatter word for word, and every file with digest and size',
    rules: ['4.3'],
  },
  'skills: one by one': {
    says: 'skills/get gives the same entry for an address, and is refused with bad params for others',
    rules: ['4.3'],
  },
  'skills: directories': {
    says: 'resources/directory/read gives the children of a directory, and is refused with bad params for what is none',
    rules: ['4.3'],
  },
  'skills: verified': {
    says: 'A client loads what is as it is listed, and fetches a file when it is read',
    rules: ['4.3'],
  },
  'apps: linked': {
    says: 'A tool names its view and who may call it in its metadata, and the view is a resource of its own type with its policy',
    rules: ['4.2'],
    first: '2025-06-18',
  },
  'apps: for views alone': {
    says: 'A tool for views alone is there for clients that show views, and for no others',
    rules: ['4.2'],
  },
} as const satisfies Requirements
