import type { Requirements } from '../requirement.ts'

export const capabilities = {
  'capabilities: of a server': {
    says: 'A server declares tools, resources, prompts and logging when it has them, with listChanged and subscribe',
    rules: ['P130', '1.5'],
  },
  'capabilities: of a bare server': {
    says: 'A server declares nothing that it does not have',
    rules: ['P130', '1.5'],
  },
  'capabilities: are kept': {
    says: 'A feature that was declared stays declared: when the last of it goes, its list is empty',
    rules: ['P130', 'L3'],
  },
  'capabilities: completions': {
    says: 'A server that completes declares so from the revision on that has the word',
    rules: ['L36', '1.5'],
    first: '2025-03-26',
  },
  'capabilities: no completions': {
    says: 'The first revision has no word for completing, and its client completes all the same',
    rules: ['L39', '1.5'],
    last: '2024-11-05',
  },
  'capabilities: of a client': {
    says: 'A client declares sampling and roots when it can be asked, and nothing otherwise',
    rules: ['P148', '1.5'],
  },
  'capabilities: roots that change': {
    says: 'A client that can tell of changed roots declares so',
    rules: ['1.5'],
    last: '2025-11-25',
  },
  'capabilities: roots without changes': {
    says: 'A client declares roots without listChanged where changes of them cannot be told',
    rules: ['1.5', '1.4'],
    first: '2026-07-28',
  },
  'capabilities: no elicitation': {
    says: 'A client does not declare elicitation before there was any',
    rules: ['1.5'],
    last: '2025-03-26',
  },
  'capabilities: elicitation': {
    says: 'The first revision with elicitation declares it without modes',
    rules: ['L29', '1.5'],
    first: '2025-06-18',
    last: '2025-06-18',
  },
  'capabilities: no forms, no elicitation': {
    says: 'A client that has no forms declares no elicitation where forms are all there is',
    rules: ['L29', 'P148'],
    last: '2025-06-18',
  },
  'capabilities: modes of elicitation': {
    says: 'A client declares the modes of elicitation that it has',
    rules: ['P148', '1.5'],
    first: '2025-11-25',
  },
  'capabilities: sampling': {
    says: 'Before sampling had parts it is declared without any',
    rules: ['1.5'],
    last: '2025-06-18',
  },
  'capabilities: parts of sampling': {
    says: 'A client declares that it samples with tools and with context',
    rules: ['L20', '1.5'],
    first: '2025-11-25',
  },
} as const satisfies Requirements
