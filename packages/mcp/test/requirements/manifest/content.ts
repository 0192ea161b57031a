import type { Requirements } from '../requirement.ts'

export const content = {
  'content: text, image, embedded resource': {
    says: 'Text, images and embedded resources travel as they are in every revision',
    rules: ['1.6'],
  },
  'content: audio': {
    says: 'Audio travels as audio from the revision on that has it',
    rules: ['L36', '3.5'],
    first: '2025-03-26',
  },
  'content: audio as a resource': {
    says: 'Audio travels as an embedded resource where there is no audio',
    rules: ['L39', '3.5'],
    last: '2024-11-05',
  },
  'content: resource links': {
    says: 'A resource link travels as such from the revision on that has it',
    rules: ['L28', '3.5'],
    first: '2025-06-18',
  },
  'content: resource links as text': {
    says: 'A resource link travels as text that names the resource where there are no links',
    rules: ['3.5'],
    last: '2025-03-26',
  },
  'content: annotations': {
    says: 'Audience and priority travel with content in every revision',
    rules: ['1.6'],
  },
  'content: lastModified': {
    says: 'Annotations say when something was last modified from the revision on that has the word',
    rules: ['L30', '1.6'],
    first: '2025-06-18',
  },
  'content: no lastModified': {
    says: 'Revisions without lastModified do not get it',
    rules: ['1.6'],
    last: '2025-03-26',
  },
} as const satisfies Requirements
