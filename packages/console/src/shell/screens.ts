/** The screens in the order of the navigation. */
export const screens = [
  { to: '/inbox', title: 'Inbox', asks: 'What waits for me?' },
  { to: '/servers', title: 'Servers', asks: 'Is everything well?' },
] as const
