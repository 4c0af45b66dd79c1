import { Type, type Static } from 'typebox';
import { formatFrequency, type Frequency } from '../shared/frequency.js';

/** OBFrequency6. */
export const FrequencySchema = Type.Object(
  {
    Type: Type.String({
      description: 'A code of OBFrequency6Code; an expression of v3.1, such as `QtrDay:ENGLISH`, where none fits.',
      examples: ['MNTH', 'NONE'],
    }),
    PointInTime: Type.Optional(
      Type.String({ maxLength: 2, description: 'The day within the period; weekdays are 01 to 07.', examples: ['15'] }),
    ),
  },
  { title: 'Frequency' },
);

/** OBFrequency6Code for the intervals of the earlier expressions: whole weeks, and months. */
const weeks: Readonly<Partial<Record<string, string>>> = { '01': 'WEEK', '02': 'FRTN', '04': 'FOWK' };
const months: Readonly<Partial<Record<string, string>>> = {
  '01': 'MNTH',
  '02': 'TWMH',
  '03': 'QURT',
  '04': 'FOMH',
  '05': 'FIMH',
  '06': 'MIAN',
  '12': 'YEAR',
  '24': 'TWYR',
};

/** Never throws, so that no standing order is missing because of its frequency. */
export function frequencyCode(frequency: Frequency): Static<typeof FrequencySchema> {
  const expression = formatFrequency(frequency);
  const [schedule, interval = '', day = ''] = expression.split(':');
  switch (schedule) {
    case 'NotKnown':
      return { Type: 'NONE' };
    case 'EvryDay':
      return { Type: 'DAIL' };
    case 'EvryWorkgDay':
      return { Type: 'WODL' };
    case 'IntrvlDay':
      return { Type: 'DAIL', PointInTime: interval };
    default: {
      const code =
        schedule === 'IntrvlWkDay' ? weeks[interval] : schedule === 'IntrvlMnthDay' ? months[interval] : undefined;
      return code === undefined ? { Type: expression } : { Type: code, PointInTime: day.replace('-0', '-') };
    }
  }
}
