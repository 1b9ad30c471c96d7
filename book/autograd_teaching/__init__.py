"""What a teacher runs: grading a course's notebooks, and questions with other numbers for each student. For Linux."""
