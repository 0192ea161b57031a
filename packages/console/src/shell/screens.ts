/** The screens in the order of the navigation. */
export const screens = [
  { to: '/inbox', title: 'Inbox', asks: 'What waits for me?' },
  { to: '/servers', title: 'Servers', asks: 'Is everything well?' },
  { to: '/tools', title: 'Tools', asks: 'What can it do?' },
  { to: '/resources', title: 'Resources', asks: 'What can be read?' },
  { to: '/prompts', title: 'Prompts', asks: 'What can be asked?' },
  { to: '/skills', title: 'Skills', asks: 'What is it taught?' },
  { to: '/chat', title: 'Chat', asks: 'Use it' },
  { to: '/activity', title: 'Activity', asks: 'What is happening, and what happened?' },
  { to: '/policy', title: 'Policy', asks: 'What may happen, and why?' },
  { to: '/connect', title: 'Connect', asks: 'How do I use this from my editor?' },
  { to: '/settings', title: 'Settings', asks: 'How is it set up?' },
] as const
