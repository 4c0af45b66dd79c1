import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { directDebits } from './direct-debits.endpoint.js';

@Controller()
export class DirectDebitsController extends listController(directDebits) {}
