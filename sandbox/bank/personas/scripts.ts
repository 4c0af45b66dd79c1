import { everydayTerms } from './counterparties.js';
import { monthly, weekly } from './history.js';
import type { MakePersona } from './persona.js';

export const scripts: MakePersona = () => ({
  name: 'scripts',
  person: { key: 'C1009', name: '王小明 (Xiǎomíng Wáng)  ' },
  shows: 'Names and texts with non-Latin letters: Chinese, Greek, Arabic, Cyrillic, combining marks and emoji.',
  accounts: [
    {
      key: 'A100901',
      prod: 'CUR100',
      label: '日常账户 · Compte courant · Основной счёт номер один',
      num: '10010087',
      closing: 888_88,
      history: [
        weekly(5, { name: 'tea', time: '15:15', amount: -6_50, text: '茶館 — tea 🍵', madeMinutesBefore: 2 }),
        monthly(11, { name: 'greek', time: '10:10', amount: -40_00, text: 'Ενοίκιο Παπαδοπούλου' }),
        monthly(18, { name: 'pay', time: '06:30', amount: 700_00, text: 'ООО «Ромашка» зарплата' }),
      ],
      payees: [
        { key: 'A100901-B1', sort: 'TP', payee: { form: 'UKACC', id: '20000055779911', name: 'محمد الفارسي' } },
        {
          key: 'A100901-B2',
          sort: 'XB',
          payee: { form: 'IBAN', id: 'gr16 0110 1250 0000 0001 2300 695', name: 'Ελένη Παπαδοπούλου' },
        },
        { key: 'A100901-B3', sort: 'TP', payee: { form: 'UKACC', id: '30-99-50 00112233', name: 'Łukasz Żółć' } },
      ],
      mandates: [{ key: 'A100901-M1', mandate: 'ЖКХ-0042', status: 'LIVE', taker: 'Zoë’s Crèche' }],
      terms: [everydayTerms],
    },
  ],
});
