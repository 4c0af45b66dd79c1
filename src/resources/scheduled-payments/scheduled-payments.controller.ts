import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { scheduledPayments } from './scheduled-payments.endpoint.js';

@Controller()
export class ScheduledPaymentsController extends listController(scheduledPayments) {}
